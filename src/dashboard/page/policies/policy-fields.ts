/** What an operator makes of a policy before it is saved: over its preset, and over what somebody else made of it meanwhile. Pure. */
import { LABEL_CATEGORIES, type LabelCategory } from '../../../moderation/categories.js';
import { failsText, type CategoryRule, type PolicySettings } from '../../../moderation/verdict-policy.js';
import { rulesOf } from '../../../policies/policy-rules.js';
import type { PolicyFields } from '../../../policies/policy-schema.js';
import type { PresetsResponse } from '../../routes/policy-schemas.js';

/** What holds for a category. Its threshold is missing while the model is loading. */
export interface InForce {
  readonly passMaxScore: number;
  readonly unreadable: PolicySettings['unreadable'];
  readonly ruleOf: (category: LabelCategory) => CategoryRule;
}

export function policyInForce(policy: PolicyFields, catalogue: PresetsResponse): InForce {
  const { passMaxScore, unreadable, categories } = rulesOf(settingsOf(catalogue), policy);
  const ofModel = new Map(catalogue.categories.map(({ name, threshold }) => [name, threshold ?? undefined]));
  return {
    passMaxScore,
    unreadable,
    ruleOf: (category) => ({ threshold: ofModel.get(category), ...categories[category] }),
  };
}

/** The preset `default` is the settings of the service as they are. */
function settingsOf({ presets }: PresetsResponse): PolicySettings {
  const settings = presets.find(({ name }) => name === 'default')?.resolved;
  if (settings === undefined) throw new Error('The service names no presets.');
  return {
    ...settings,
    blockCategories: LABEL_CATEGORIES.filter((category) => failsText(settings.categories[category])),
  };
}

/** A member that is undefined is left to the preset again. */
export type RuleChange = { readonly [Member in keyof CategoryRule]?: CategoryRule[Member] | undefined };

export function withRule(policy: PolicyFields, category: LabelCategory, change: RuleChange): PolicyFields {
  const rule = { ...policy.categories?.[category], ...change };
  return { ...policy, categories: { ...policy.categories, [category]: rule } };
}

/** My changes to `base` made to `theirs` instead: where both changed one field mine holds, and of the lists both changes do. */
export function rebased(base: PolicyFields, mine: PolicyFields, theirs: PolicyFields): PolicyFields {
  const rules = LABEL_CATEGORIES.map((category) => {
    const [was, my, their] = [base, mine, theirs].map(({ categories }) => categories?.[category] ?? {});
    const rule = {
      action: chosen(was?.action, my?.action, their?.action),
      threshold: chosen(was?.threshold, my?.threshold, their?.threshold),
    };
    return [category, rule] as const;
  });
  return {
    preset: chosen(base.preset, mine.preset, theirs.preset),
    passMaxScore: chosen(base.passMaxScore, mine.passMaxScore, theirs.passMaxScore),
    unreadable: chosen(base.unreadable, mine.unreadable, theirs.unreadable),
    keep: chosen(base.keep, mine.keep, theirs.keep),
    categories: Object.fromEntries(rules),
    review: JSON.stringify(base.review) === JSON.stringify(mine.review) ? theirs.review : mine.review,
    blockedTermsAction: chosen(base.blockedTermsAction, mine.blockedTermsAction, theirs.blockedTermsAction),
    blockedTerms: mergedTerms(base.blockedTerms, mine.blockedTerms, theirs.blockedTerms),
    ignoredTerms: mergedTerms(base.ignoredTerms, mine.ignoredTerms, theirs.ignoredTerms),
  };
}

const chosen = <Value>(base: Value, mine: Value, theirs: Value): Value => (base === mine ? theirs : mine);

function mergedTerms(
  base: readonly string[] = [],
  mine: readonly string[] = [],
  theirs: readonly string[] = [],
): string[] {
  const [was, kept] = [new Set(base), new Set(mine)];
  const added = mine.filter((term) => !was.has(term));
  return [...new Set([...theirs.filter((term) => !was.has(term) || kept.has(term)), ...added])];
}
