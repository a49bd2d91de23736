/** What the parts of the `policies` command are handed, and how they name a project. */
import { OperatorError } from '../../errors.js';
import type { ProjectRecord } from '../../keys/key-record.js';
import type { Analyzer } from '../../moderation/analyzer.js';
import type { PolicySettings } from '../../moderation/verdict-policy.js';
import type { PolicyStore } from '../../policies/policy-store.js';

export interface PreviewModel {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly concurrency: number;
  close(): Promise<void>;
}

interface Output {
  write(text: string): unknown;
}

export interface PoliciesCliDeps {
  readonly keysFile: string;
  /** @throws OperatorError when they are wrong */
  readonly settings: () => PolicySettings;
  readonly loadModel: () => Promise<PreviewModel>;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now?: () => Date;
}

export interface PoliciesContext extends PoliciesCliDeps {
  readonly store: PolicyStore;
  /** @throws OperatorError when there is none of this name or id */
  readonly projectCalled: (name: string) => ProjectRecord;
}

export const BY = 'command line';

export function projectIn(flag: string | undefined, positionals: readonly string[], command: string): string {
  const [name, ...others] = flag === undefined ? positionals : [flag, ...positionals];
  if (name !== undefined && others.length === 0) return name;
  throw new OperatorError(`${command} needs one project. Put quotes around names with blanks. See --help.`);
}
