/** Shows, changes and restores the policies of projects. Knows nothing of requests; policies-in-force.ts answers those. */
import { readKeyFile } from '../keys/key-file.js';
import { findProject, projectsOf } from '../keys/project-record.js';
import { StoreRefusal } from '../keys/refusal.js';
import { valid } from '../keys/valid.js';
import { changedFields, withoutEmpty } from './changed-fields.js';
import { createPolicyFile } from './policy-file.js';
import { recordAfter, versionsOf, type PolicyEdit, type PolicyRecord, type PolicyVersion } from './policy-record.js';
import { policyFieldsSchema, type Editor, type PolicyFields } from './policy-schema.js';

export interface StoredPolicy {
  readonly projectId: string;
  /** 0 where the project has none: then the settings of the service apply. */
  readonly version: number;
  readonly at: string | null;
  readonly by: Editor | null;
  readonly policy: PolicyFields;
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

/** What was done to a policy since the version that an edit is based on. */
export interface ChangeSince {
  readonly version: number;
  readonly at: string;
  readonly by: Editor;
  readonly fields: readonly string[];
}

/** Thrown where an edit is based on a version that is not the present one. */
export class PolicyConflict extends StoreRefusal {
  constructor(
    readonly version: number,
    readonly changes: readonly ChangeSince[],
    base: number,
  ) {
    super('conflict', messageOf(version, changes, base));
  }
}

interface Change {
  readonly by: Editor;
  /** The version that the edit was made from; without one it is made from the present one, whatever that is. */
  readonly base?: number | undefined;
}

/** Every method rejects (those that only look: throws) with an OperatorError that says what to mend, and then has changed nothing. */
export interface PolicyStore {
  get(projectId: string): StoredPolicy;
  history(projectId: string): PolicyHistory;
  /**
   * Makes a new version of what `edit` makes of the present one; a policy that says the same stays as it is. When it resolves, the change
   * holds in every running server.
   */
  edit(projectId: string, edit: (present: PolicyFields) => unknown, change: Change): Promise<StoredPolicy>;
  /** Makes a new version of an earlier one; 0 is no policy at all. */
  restore(projectId: string, version: number, change: Change): Promise<StoredPolicy>;
}

export interface PolicyStoreDeps {
  readonly keysFile: string;
  readonly now?: () => Date;
}

export function createPolicyStore({ keysFile, now = () => new Date() }: PolicyStoreDeps): PolicyStore {
  const file = createPolicyFile(keysFile);

  /** @throws StoreRefusal when there is no such project */
  function assertProject(projectId: string): void {
    findProject(projectsOf(readKeyFile(keysFile)), projectId);
  }

  function recordOf(projectId: string): PolicyRecord | undefined {
    assertProject(projectId);
    return file.readRecord(projectId);
  }

  async function change(
    projectId: string,
    { by, base }: Change,
    next: (before: PolicyRecord | undefined) => Omit<PolicyEdit, 'at' | 'by'>,
  ): Promise<StoredPolicy> {
    assertProject(projectId);
    return file.change(projectId, (before) => {
      refuseUnlessPresent(before, base);
      const edit = next(before);
      if (changedFields(before?.policy ?? {}, edit.policy).length === 0) {
        return { result: storedOf(projectId, before) };
      }
      const after = recordAfter(before, { ...edit, at: now().toISOString(), by });
      return { next: after, result: storedOf(projectId, after) };
    });
  }

  return {
    get: (projectId) => storedOf(projectId, recordOf(projectId)),

    history(projectId) {
      const record = recordOf(projectId);
      const versions = record === undefined ? [] : withChanges(versionsOf(record));
      const oldest = versions.at(-1)?.version ?? 0;
      return { versions, oldest: oldest <= 1 ? 0 : oldest };
    },

    async edit(projectId, edit, options) {
      return change(projectId, options, (before) => ({
        policy: withoutEmpty(valid(policyFieldsSchema, edit(before?.policy ?? {}))),
      }));
    },

    async restore(projectId, version, options) {
      return change(projectId, options, (before) => ({ policy: policyIn(before, version), restored: version }));
    },
  };
}

function storedOf(projectId: string, record: PolicyRecord | undefined): StoredPolicy {
  if (record === undefined) return { projectId, version: 0, at: null, by: null, policy: {} };
  const { version, at, by, policy } = record;
  return { projectId, version, at, by, policy };
}

function policyIn(record: PolicyRecord | undefined, version: number): PolicyFields {
  if (version === 0) return {};
  const versions = record === undefined ? [] : versionsOf(record);
  const found = versions.find((each) => each.version === version);
  if (found !== undefined) return found.policy;
  const oldest = versions.at(-1);
  throw new StoreRefusal(
    'unknown',
    oldest === undefined
      ? 'The project has no policy, so there is no version to restore.'
      : `There is no version ${version}: the versions ${oldest.version} to ${record?.version ?? 0} are kept, and 0 is no policy at all.`,
  );
}

function refuseUnlessPresent(record: PolicyRecord | undefined, base: number | undefined): void {
  const present = record?.version ?? 0;
  if (base === undefined || base === present) return;
  throw new PolicyConflict(present, record === undefined ? [] : changesSince(record, base), base);
}

/** Newest first, as far back as versions are kept. */
function changesSince(record: PolicyRecord, base: number): ChangeSince[] {
  return withChanges(versionsOf(record))
    .filter(({ version }) => version > base)
    .map(({ version, at, by, changed = [] }) => ({ version, at, by, fields: changed }));
}

function withChanges(versions: readonly PolicyVersion[]): PastVersion[] {
  return versions.map((each, index) => {
    const before = versions[index + 1]?.policy ?? (each.version === 1 ? {} : undefined);
    return { ...each, changed: before && changedFields(before, each.policy) };
  });
}

function messageOf(version: number, changes: readonly ChangeSince[], base: number): string {
  const advice = 'Look at the present policy and make the change anew.';
  if (changes.length === 0) return `The policy has version ${version} and not ${base}. ${advice}`;
  const told = changes.map(
    ({ version: made, at, by, fields }) =>
      `version ${made} (${by}, ${at})${fields.length === 0 ? '' : ` changed ${fields.join(', ')}`}`,
  );
  return `The policy was changed since version ${base}: ${told.join('; ')}. ${advice}`;
}
