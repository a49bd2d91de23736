/** In what two policies differ, and a policy without what says nothing. Pure; the dashboard's page uses it too. */
import { LABEL_CATEGORIES } from '../moderation/categories.js';
import type { PolicyFields } from './policy-schema.js';

const WHOLE_FIELDS = [
  'preset',
  'passMaxScore',
  'blockedTerms',
  'blockedTermsAction',
  'ignoredTerms',
  'unreadable',
  'review',
  'keep',
] as const;

/**
 * What differs between two policies, as a person would look for it: `passMaxScore`, `categories.hate`, `blockedTerms`. A field that is left out
 * and one that says nothing are the same.
 */
export function changedFields(one: PolicyFields, other: PolicyFields): string[] {
  return [
    ...WHOLE_FIELDS.filter((field) => !saySame(one[field], other[field])),
    ...LABEL_CATEGORIES.filter((category) => !saySame(one.categories?.[category], other.categories?.[category])).map(
      (category) => `categories.${category}`,
    ),
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

function saySame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(said(one)) === JSON.stringify(said(other));
}

/** As without the field. */
function isKeepingNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'what' in value && value.what === 'none';
}

/** The members of a rule in one order. */
function said(value: unknown): unknown {
  if (value === 'default' || isKeepingNothing(value)) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => one.localeCompare(other));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
