/**
 * What the file keeps of a project's policy: the one in force, and how it came to be. An earlier version holds its own terms as what
 * differs from the next one's, so that a history of small edits of a long list stays small. Knows nothing of files.
 */
import { z } from 'zod';
import { editorSchema, policyFieldsSchema, TERM_FIELDS, type PolicyFields } from './policy-schema.js';

/** Older versions are dropped, oldest first. The one before the present is always kept. */
export const MOST_EARLIER_VERSIONS = 100;
export const MOST_EARLIER_TERMS = 20_000;

/** The list is: so many terms of the next version's beginning, these terms, so many of its end. */
const listChangeSchema = z.strictObject({
  begin: z.int().min(0),
  terms: z.array(z.string()),
  end: z.int().min(0),
});
type ListChange = Readonly<z.output<typeof listChangeSchema>>;

const stampShape = {
  version: z.int().min(1),
  at: z.iso.datetime(),
  by: editorSchema,
  /** Of which earlier version this is the restoration. */
  restored: z.int().min(0).optional(),
};

const earlierSchema = z.strictObject({
  ...stampShape,
  policy: policyFieldsSchema.omit({ blockedTerms: true, ignoredTerms: true }),
  blockedTerms: listChangeSchema.optional(),
  ignoredTerms: listChangeSchema.optional(),
});
type EarlierVersion = Readonly<z.output<typeof earlierSchema>>;

export const policyRecordSchema = z.strictObject({
  ...stampShape,
  policy: policyFieldsSchema,
  /** Newest first. */
  earlier: z.array(earlierSchema),
});
export type PolicyRecord = Readonly<z.output<typeof policyRecordSchema>>;

export type PolicyVersion = Omit<PolicyRecord, 'earlier'>;

/** @param before undefined where the project had no policy */
export function recordAfter(before: PolicyRecord | undefined, edit: Omit<PolicyVersion, 'version'>): PolicyRecord {
  return {
    version: (before?.version ?? 0) + 1,
    ...edit,
    earlier: before === undefined ? [] : pruned([earlierOf(before, edit.policy), ...before.earlier]),
  };
}

/** All versions that are kept, newest first: the first is in force. */
export function versionsOf({ earlier, ...current }: PolicyRecord): PolicyVersion[] {
  const versions: PolicyVersion[] = [current];
  let next: PolicyFields = current.policy;
  for (const { policy, blockedTerms, ignoredTerms, ...stamp } of earlier) {
    next = { ...policy, ...listIn('blockedTerms', blockedTerms, next), ...listIn('ignoredTerms', ignoredTerms, next) };
    versions.push({ ...stamp, policy: next });
  }
  return versions;
}

function earlierOf({ version, at, by, restored, policy }: PolicyRecord, next: PolicyFields): EarlierVersion {
  const { blockedTerms, ignoredTerms, ...fields } = policy;
  return {
    version,
    at,
    by,
    ...(restored !== undefined && { restored }),
    policy: fields,
    ...(blockedTerms && { blockedTerms: changeTo(blockedTerms, next.blockedTerms ?? []) }),
    ...(ignoredTerms && { ignoredTerms: changeTo(ignoredTerms, next.ignoredTerms ?? []) }),
  };
}

function changeTo(terms: readonly string[], next: readonly string[]): ListChange {
  const shorter = Math.min(terms.length, next.length);
  let begin = 0;
  while (begin < shorter && terms[begin] === next[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && terms[terms.length - 1 - end] === next[next.length - 1 - end]) end += 1;
  return { begin, terms: terms.slice(begin, terms.length - end), end };
}

function listIn(
  list: (typeof TERM_FIELDS)[number],
  change: ListChange | undefined,
  next: PolicyFields,
): Partial<Pick<PolicyFields, 'blockedTerms' | 'ignoredTerms'>> {
  if (change === undefined) return {};
  const terms = next[list] ?? [];
  return { [list]: [...terms.slice(0, change.begin), ...change.terms, ...terms.slice(terms.length - change.end)] };
}

function pruned(earlier: readonly EarlierVersion[]): EarlierVersion[] {
  let terms = 0;
  const tooFar = earlier.findIndex((version, index) => {
    terms += TERM_FIELDS.reduce((sum, list) => sum + (version[list]?.terms.length ?? 0), 0);
    return index > 0 && (index >= MOST_EARLIER_VERSIONS || terms > MOST_EARLIER_TERMS);
  });
  return earlier.slice(0, tooFar === -1 ? undefined : tooFar);
}
