/** What policies are asked for, wherever they are kept. Every method says with an OperatorError what an operator can mend. */
import type { Terms } from '../caller.js';
import { StoreRefusal } from '../errors.js';
import type { PolicyVersion } from './policy-record.js';
import type { PolicyFields, TERM_FIELDS } from './policy-schema.js';

export interface StoredPolicy {
  readonly projectId: string;
  /** 0 where the project has none: then the settings of the service apply. */
  readonly version: number;
  readonly at: string | null;
  readonly by: string | null;
  readonly policy: PolicyFields;
}

/** Small: there may be thousands. Its lists of terms are read where they are needed. */
export interface PolicyInForce {
  readonly version: number;
  readonly policy: Omit<PolicyFields, (typeof TERM_FIELDS)[number]>;
  readonly terms: Terms | undefined;
}

export interface PastVersion extends PolicyVersion {
  /** What it changed; undefined where the version before it is not kept. */
  readonly changed: readonly string[] | undefined;
}

export interface PolicyHistory {
  /** Newest first; the first is in force. Empty where the project has no policy. */
  readonly versions: readonly PastVersion[];
  /** The oldest version that can be restored: those before it were dropped. 0 where none was. */
  readonly oldest: number;
}

/** Thrown where an edit is based on a version that is not the present one. */
export class PolicyConflict extends StoreRefusal {
  constructor(
    readonly version: number,
    /** Those made since, newest first, as far back as versions are kept. */
    readonly changes: readonly PastVersion[],
    base: number,
  ) {
    super('conflict', messageOf(version, changes, base));
  }
}

export interface PolicyChange {
  /** See editorSchema. */
  readonly by: string;
  /** The version that the edit was made from; without one it is made from the present one, whatever that is. */
  readonly base?: number | undefined;
  /** False where there is no key that encrypts texts: a policy that keeps them is then refused. */
  readonly canKeepTexts?: boolean;
}

/** Whoever rejects has changed nothing. A refusal that is no fault is a StoreRefusal. */
export interface PolicyRepository {
  /**
   * As of the last look-up of a key or refresh of the store that has ended. The same object until the policy is changed. At once where it is at
   * hand, since a verdict waits for it; a promise where it must be read first.
   *
   * @throws OperatorError while the policy cannot be read
   */
  inForce(projectId: string): PolicyInForce | undefined | Promise<PolicyInForce | undefined>;
  get(projectId: string): Promise<StoredPolicy>;
  history(projectId: string): Promise<PolicyHistory>;
  /**
   * Makes a new version of what `edit` makes of the present one; a policy that says the same stays as it is. When it resolves, the change
   * holds in every running server.
   */
  edit(projectId: string, edit: (present: PolicyFields) => unknown, change: PolicyChange): Promise<StoredPolicy>;
  /** Makes a new version of an earlier one; 0 is no policy at all. */
  restore(projectId: string, version: number, change: PolicyChange): Promise<StoredPolicy>;
}

function messageOf(version: number, changes: readonly PastVersion[], base: number): string {
  const advice = 'Look at the present policy and make the change anew.';
  if (changes.length === 0) return `The policy has version ${version} and not ${base}. ${advice}`;
  const told = changes.map(
    ({ version: made, at, by, changed = [] }) =>
      `version ${made} (${by}, ${at})${changed.length === 0 ? '' : ` changed ${changed.join(', ')}`}`,
  );
  return `The policy was changed since version ${base}: ${told.join('; ')}. ${advice}`;
}
