/** Reads the versions of a policy out of its record: the one in force, those before it, and what each changed. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { LABEL_CATEGORIES } from '../moderation/categories.js';
import { StoreRefusal } from '../errors.js';
import { versionsOf, type PolicyRecord, type PolicyVersion } from './policy-record.js';
import { PolicyConflict, type PastVersion, type PolicyHistory, type StoredPolicy } from './policy-repository.js';
import type { PolicyFields } from './policy-schema.js';

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

/** @throws StoreRefusal where that version is not kept */
export function policyIn(record: PolicyRecord | undefined, version: number): PolicyFields {
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

/** @throws PolicyConflict where an edit is based on another version */
export function refuseUnlessPresent(record: PolicyRecord | undefined, base: number | undefined): void {
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

const WHOLE_FIELDS = [
  'preset',
  'passMaxScore',
  'blockedTerms',
  'blockedTermsAction',
  'ignoredTerms',
  'unreadable',
] as const;

/**
 * What differs between two policies, as a person would look for it: `passMaxScore`, `categories.hate`, `blockedTerms`. A field that is left out
 * and one that says nothing are the same.
 */
export function changedFields(one: PolicyFields, other: PolicyFields): string[] {
  return [
    ...WHOLE_FIELDS.filter((field) => !isDeepStrictEqual(said(one[field]), said(other[field]))),
    ...LABEL_CATEGORIES.filter(
      (category) => !isDeepStrictEqual(said(one.categories?.[category]), said(other.categories?.[category])),
    ).map((category) => `categories.${category}`),
  ];
}

/** Without what says nothing: empty lists, terms that occur twice, empty rules, the preset `default`. */
export function withoutEmpty({ categories, ...fields }: PolicyFields): PolicyFields {
  const rules = Object.entries(categories ?? {})
    .map(([category, rule]) => [category, said(rule)] as const)
    .filter(([, rule]) => rule !== undefined);
  return {
    ...Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => said(value) !== undefined)
        .map(([field, value]) => [field, Array.isArray(value) ? [...new Set(value)] : value]),
    ),
    ...(rules.length > 0 && { categories: Object.fromEntries(rules) }),
  };
}

function said(value: unknown): unknown {
  if (value === 'default') return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
