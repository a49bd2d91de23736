/** What a policy means for a text: its rules with its terms and where they come from. Pure. */
import { hash } from 'node:crypto';
import type { Terms } from '../caller.js';
import type { PolicySettings, VerdictPolicy } from '../moderation/verdict-policy.js';
import { presetOf, rulesOf } from './policy-rules.js';
import type { PolicyFields, PresetName } from './policy-schema.js';

/** @returns as `resolveFields`; `fields.preset` counts for nothing here */
export function resolvePolicy(settings: PolicySettings, preset: PresetName, fields: PolicyFields): VerdictPolicy {
  return resolveFields(settings, { ...fields, preset });
}

/**
 * @param version of a policy that is kept
 * @param terms in place of the lists of the fields
 * @returns frozen and complete
 */
export function resolveFields(
  settings: PolicySettings,
  fields: PolicyFields,
  version?: number,
  terms = termsOf(fields),
): VerdictPolicy {
  return Object.freeze({
    ...rulesOf(settings, fields),
    ...(terms && { terms }),
    ...(fields.blockedTermsAction && { blockedTermsAction: fields.blockedTermsAction }),
    ...(fields.review && { review: fields.review }),
    ...keepIn(fields),
    ...(version !== undefined && { origin: Object.freeze({ name: presetOf(fields), version }) }),
  });
}

/** Policies that say `none` and that say nothing are the same. */
function keepIn({ keep }: Pick<PolicyFields, 'keep'>): Pick<VerdictPolicy, 'keep'> {
  if (keep === undefined || keep.what === 'none' || keep.days === undefined) return {};
  const { what, days, reference } = keep;
  return { keep: Object.freeze({ what, days, ...(reference !== undefined && { reference }) }) };
}

export function termsOf(fields: PolicyFields): Terms | undefined {
  const written = writtenTermsOf(fields);
  return written && Object.freeze({ ...written, lists: () => written.lists });
}

/** Terms that can be sent to another thread. */
export type WrittenTerms = Omit<Terms, 'lists'> & { readonly lists: string };

export function writtenTermsOf({ blockedTerms = [], ignoredTerms = [] }: PolicyFields): WrittenTerms | undefined {
  if (blockedTerms.length === 0 && ignoredTerms.length === 0) return undefined;
  const lists = JSON.stringify([blockedTerms, ignoredTerms]);
  return {
    lists,
    characters: [...blockedTerms, ...ignoredTerms].reduce((sum, { length }) => sum + length, 0),
    digest: hash('sha256', lists, 'base64url'),
  };
}
