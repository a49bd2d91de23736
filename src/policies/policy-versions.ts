/** The versions of a policy in its record: the one in force, those before it, what each changed, and a new one. Pure. */
import { StoreRefusal, valid } from '../errors.js';
import { changedFields, withoutEmpty } from './policy-differences.js';
import { recordAfter, versionsOf, type PolicyRecord, type PolicyVersion } from './policy-record.js';
import {
  PolicyConflict,
  type PastVersion,
  type PolicyChange,
  type PolicyHistory,
  type PolicyRepository,
  type StoredPolicy,
} from './policy-repository.js';
import { policyFieldsSchema, type PolicyFields } from './policy-schema.js';

export function storedOf(projectId: string, record: PolicyRecord | undefined): StoredPolicy {
  if (record === undefined) return { projectId, version: 0, at: null, by: null, policy: {} };
  const { version, at, by, policy } = record;
  return { projectId, version, at, by, policy };
}

export function historyOf(record: PolicyRecord | undefined): PolicyHistory {
  const versions = record === undefined ? [] : withChanges(versionsOf(record));
  const oldest = versions.at(-1)?.version ?? 0;
  return { versions, oldest: oldest <= 1 ? 0 : oldest };
}

/** @param write writes what `next` makes of the record of a project, unless that is undefined: then nothing changes */
export function policyChanges(
  now: () => Date,
  write: (
    projectId: string,
    next: (before: PolicyRecord | undefined) => PolicyRecord | undefined,
  ) => Promise<StoredPolicy>,
): Pick<PolicyRepository, 'edit' | 'restore'> {
  const changed = (
    projectId: string,
    { by, base, canKeepTexts = true }: PolicyChange,
    make: (before: PolicyRecord | undefined) => Pick<PolicyVersion, 'policy' | 'restored'>,
  ): Promise<StoredPolicy> =>
    write(projectId, (before) => {
      refuseUnlessPresent(before, base);
      const made = make(before);
      if (!canKeepTexts) refuseKeptTexts(made.policy);
      if (changedFields(before?.policy ?? {}, made.policy).length === 0) return undefined;
      return recordAfter(before, { ...made, at: now().toISOString(), by });
    });
  return {
    edit: (projectId, edit, change) =>
      changed(projectId, change, (before) => ({
        policy: withoutEmpty(valid(policyFieldsSchema, edit(before?.policy ?? {}))),
      })),
    restore: (projectId, version, change) =>
      changed(projectId, change, (before) => ({ policy: policyIn(before, version), restored: version })),
  };
}

/** @throws StoreRefusal where that version is not kept */
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

/** They are kept encrypted or not at all. @throws StoreRefusal where the policy keeps texts */
function refuseKeptTexts({ keep }: PolicyFields): void {
  if (keep?.what !== 'texts') return;
  throw new StoreRefusal(
    'invalid',
    'keep.what must not be "texts" without DECISIONS_KEY, which encrypts them: set it to what "npx parapet decisions new-key" prints, or keep verdicts.',
  );
}

/** @throws PolicyConflict where an edit is based on another version */
function refuseUnlessPresent(record: PolicyRecord | undefined, base: number | undefined): void {
  const present = record?.version ?? 0;
  if (base === undefined || base === present) return;
  const since = historyOf(record).versions.filter(({ version }) => version > base);
  throw new PolicyConflict(present, since, base);
}

function withChanges(versions: readonly PolicyVersion[]): PastVersion[] {
  return versions.map((each, index) => {
    const before = versions[index + 1]?.policy ?? (each.version === 1 ? {} : undefined);
    return { ...each, changed: before && changedFields(before, each.policy) };
  });
}
