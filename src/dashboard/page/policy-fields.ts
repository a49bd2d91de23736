/** What an operator makes of a policy before it is saved: over its preset, and over what somebody else made of it meanwhile. Pure. */
import type { PolicyResponse, PresetsResponse } from '../routes/policy-schemas.js';

export type Policy = PolicyResponse['policy'];
export type Category = keyof PolicyResponse['resolved']['categories'];
export type Action = PolicyResponse['resolved']['categories'][Category]['action'];
export type Unreadable = PolicyResponse['resolved']['unreadable'];
export type BlockedTermsAction = NonNullable<Policy['blockedTermsAction']>;
export type PresetName = PresetsResponse['presets'][number]['name'];
export type TermField = 'blockedTerms' | 'ignoredTerms';

export interface Rule {
  readonly action?: Action | undefined;
  readonly threshold?: number | undefined;
}

export interface InForce {
  readonly passMaxScore: number;
  readonly unreadable: Unreadable;
  readonly ruleOf: (category: Category) => Rule;
}

export const presetOf = ({ preset = 'default' }: Policy): PresetName => preset;

/** What the preset says where the policy says nothing. `threshold` is missing while the model is loading. */
export function presetInForce(preset: PresetName, { presets, categories }: PresetsResponse): InForce {
  const found = presets.find(({ name }) => name === preset) ?? presets[0];
  if (found === undefined) throw new Error('The service names no presets.');
  const { passMaxScore, unreadable, categories: rules } = found.resolved;
  const ofModel = new Map(categories.map(({ name, threshold }) => [name, threshold]));
  return {
    passMaxScore,
    unreadable,
    ruleOf: (category) => ({
      action: rules[category].action,
      threshold: rules[category].threshold ?? ofModel.get(category) ?? undefined,
    }),
  };
}

export function policyInForce(policy: Policy, catalogue: PresetsResponse): InForce {
  const preset = presetInForce(presetOf(policy), catalogue);
  return {
    passMaxScore: policy.passMaxScore ?? preset.passMaxScore,
    unreadable: policy.unreadable ?? preset.unreadable,
    ruleOf: (category) => {
      const own = policy.categories?.[category];
      const rule = preset.ruleOf(category);
      return { action: own?.action ?? rule.action, threshold: own?.threshold ?? rule.threshold };
    },
  };
}

/** @param change a member that is undefined is left to the preset again */
export function withRule(policy: Policy, category: Category, change: Rule): Policy {
  const rule = { ...policy.categories?.[category], ...change };
  return { ...policy, categories: { ...policy.categories, [category]: rule } };
}

const CATEGORIES: readonly Category[] = [
  'toxic',
  'severe_toxic',
  'obscene',
  'threat',
  'insult',
  'hate',
  'sexual',
  'self_harm',
  'spam',
];

type Field = Exclude<keyof Policy, 'categories'> | `categories.${Category}`;

/** Names of fields in which they differ, as the history names them. What is left out and what says nothing are the same. */
export function differingFields(one: Policy, other: Policy): Field[] {
  const [left, right] = [saidBy(one), saidBy(other)];
  return [...left.keys()].filter((field) => left.get(field) !== right.get(field));
}

function saidBy(policy: Policy): ReadonlyMap<Field, string> {
  const { passMaxScore, unreadable, blockedTerms = [], blockedTermsAction, ignoredTerms = [] } = policy;
  const whole = [
    ['preset', presetOf(policy)],
    ['passMaxScore', passMaxScore],
    ['unreadable', unreadable],
    ['blockedTerms', [...new Set(blockedTerms)]],
    ['blockedTermsAction', blockedTermsAction],
    ['ignoredTerms', [...new Set(ignoredTerms)]],
  ] as const;
  const rules = CATEGORIES.map((category) => {
    const { action, threshold } = policy.categories?.[category] ?? {};
    return [`categories.${category}`, [action, threshold]] as const;
  });
  return new Map([...whole, ...rules].map(([field, value]) => [field, JSON.stringify(value ?? null)]));
}

/** My changes to `base` made to `theirs` instead: where both changed one field mine holds, and of the lists both changes do. */
export function rebased(base: Policy, mine: Policy, theirs: Policy): Policy {
  const rules = CATEGORIES.map((category) => {
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
    categories: Object.fromEntries(rules),
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
