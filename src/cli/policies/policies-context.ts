/** What the parts of the `policies` command are handed, and how they name a project. */
import { OperatorError } from '../../errors.js';
import type { ProjectRecord } from '../../keys/key-record.js';
import type { Analyzer } from '../../moderation/analyzer.js';
import { COMMAND_LINE } from '../../people/roles.js';
import type { PolicySettings } from '../../moderation/verdict-policy.js';
import type { StoredPolicy } from '../../policies/policy-repository.js';
import type { Store } from '../../storage/store.js';
import { note, type Output, type StoreOpening } from '../command.js';

export interface PreviewModel {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly concurrency: number;
  close(): Promise<void>;
}

export interface PoliciesCliDeps extends StoreOpening {
  /** @throws OperatorError when they are wrong */
  readonly settings: () => PolicySettings;
  /** Whether there is a key that encrypts texts. @throws OperatorError when it is wrong */
  readonly hasDecisionsKey: () => boolean;
  readonly loadModel: () => Promise<PreviewModel>;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface PoliciesContext extends PoliciesCliDeps {
  readonly store: Pick<Store, 'policies' | 'projects' | 'sql'>;
}

/** Who changes a policy here. */
export const BY = COMMAND_LINE.name;

/** In the audit log. */
export function noted(action: string, stored: StoredPolicy, { store, stderr }: PoliciesContext): Promise<void> {
  return note(store, stderr, { action, subject: stored.projectId, details: { version: stored.version } });
}

/** @throws OperatorError when there is none of this name or id */
export async function projectCalled(name: string, { projects }: Pick<Store, 'projects'>): Promise<ProjectRecord> {
  const all = await projects.list();
  const found = all.find((project) => project.name === name || project.id === name);
  if (found !== undefined) return found;
  const there = all.map((project) => JSON.stringify(project.name));
  throw new OperatorError(`There is no such project. There are: ${there.slice(0, 20).join(', ') || 'none'}.`);
}

/** The only one that a command is given, as a flag or without. @throws OperatorError when it is given none or several, or there is no such project */
export function projectIn(
  flag: string | undefined,
  positionals: readonly string[],
  command: string,
  { store }: PoliciesContext,
): Promise<ProjectRecord> {
  const [name, ...others] = flag === undefined ? positionals : [flag, ...positionals];
  if (name !== undefined && others.length === 0) return projectCalled(name, store);
  throw new OperatorError(`${command} needs one project. Put quotes around names with blanks. See --help.`);
}
