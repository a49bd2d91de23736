/** What the parts of the `policies` command are handed, and how they name a project. */
import { OperatorError } from '../../errors.js';
import type { ProjectRecord } from '../../keys/key-record.js';
import type { Analyzer } from '../../moderation/analyzer.js';
import type { PolicySettings } from '../../moderation/verdict-policy.js';
import type { Store } from '../../storage/store.js';
import type { Output } from '../command.js';

export interface PreviewModel {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly concurrency: number;
  close(): Promise<void>;
}

export interface PoliciesCliDeps {
  readonly store: Pick<Store, 'policies' | 'projects'>;
  /** @throws OperatorError when they are wrong */
  readonly settings: () => PolicySettings;
  readonly loadModel: () => Promise<PreviewModel>;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface PoliciesContext extends PoliciesCliDeps {
  /** @throws OperatorError when there is none of this name or id */
  readonly projectCalled: (name: string) => Promise<ProjectRecord>;
}

export const BY = 'command line';

export function projectIn(flag: string | undefined, positionals: readonly string[], command: string): string {
  const [name, ...others] = flag === undefined ? positionals : [flag, ...positionals];
  if (name !== undefined && others.length === 0) return name;
  throw new OperatorError(`${command} needs one project. Put quotes around names with blanks. See --help.`);
}
