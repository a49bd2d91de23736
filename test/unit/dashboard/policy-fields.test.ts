/** Promises of the policy editor of the page that need no browser: what applies, what differs, and how two edits of one policy meet. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyInForce, rebased, withRule } from '../../../src/dashboard/page/policies/policy-fields.js';
import type { PresetsResponse } from '../../../src/dashboard/routes/policy-schemas.js';
import { LABELS } from '../../../src/labels.js';
import { CATEGORY_OF_LABEL, LABEL_CATEGORIES } from '../../../src/moderation/categories.js';
import { CATEGORY_ACTIONS } from '../../../src/moderation/verdict-policy.js';
import { changedFields } from '../../../src/policies/policy-differences.js';
import { PRESET_NAMES, type PolicyFields } from '../../../src/policies/policy-schema.js';
import { PRESETS } from '../../../src/policies/presets.js';
import { resolveFields, resolvePolicy } from '../../../src/policies/resolve-policy.js';
import { SETTINGS } from '../../support/settings.js';

const CATALOGUE: PresetsResponse = {
  presets: PRESET_NAMES.map((name) => ({
    name,
    policy: { ...PRESETS[name] },
    resolved: resolvePolicy(SETTINGS, name, {}),
  })),
  categories: LABELS.map((label) => ({ name: CATEGORY_OF_LABEL[label], label, threshold: 0.45 })),
};

const rule = fc.record(
  {
    action: fc.constantFrom(...CATEGORY_ACTIONS),
    threshold: fc.integer({ min: 0, max: 100 }).map((step) => step / 100),
  },
  { requiredKeys: [] },
);
const terms = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
const policies: fc.Arbitrary<PolicyFields> = fc.record(
  {
    preset: fc.constantFrom(...PRESET_NAMES),
    passMaxScore: fc.integer({ min: 0, max: 10 }),
    unreadable: fc.constantFrom('fail' as const, 'pass' as const),
    categories: fc.record(Object.fromEntries(LABEL_CATEGORIES.map((name) => [name, rule])), { requiredKeys: [] }),
    blockedTerms: terms,
    blockedTermsAction: fc.constantFrom('fail' as const, 'mask' as const),
    ignoredTerms: terms,
    review: fc.constantFrom({ scores: { from: 3, to: 5 } }, { scores: { from: 4, to: 4 }, secondReviews: 0.1 }),
  },
  { requiredKeys: [] },
);

describe('the policy editor', () => {
  it('shows what the service would apply, with the thresholds of the model where nothing else is said', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        const applied = resolveFields(SETTINGS, policy);
        const shown = policyInForce(policy, CATALOGUE);
        expect([shown.passMaxScore, shown.unreadable]).toEqual([applied.passMaxScore, applied.unreadable]);
        for (const category of LABEL_CATEGORIES) {
          expect(shown.ruleOf(category)).toEqual({ threshold: 0.45, ...applied.categories[category] });
        }
      }),
    );
  });

  it('leaves a field to the preset again once its change is undone', () => {
    const changed = withRule({ preset: 'news' }, 'hate', { threshold: 0.2 });
    expect(changedFields({ preset: 'news' }, changed)).toEqual(['categories.hate']);
    expect(changedFields({ preset: 'news' }, withRule(changed, 'hate', { threshold: undefined }))).toEqual([]);
  });
});

describe('an edit that meets one of somebody else', () => {
  it('is made to theirs field by field, and neither loses a term', () => {
    const base: PolicyFields = { passMaxScore: 3, categories: { hate: { threshold: 0.4 } }, blockedTerms: ['a', 'b'] };
    const mine: PolicyFields = { ...base, categories: { hate: { threshold: 0.3 } }, blockedTerms: ['a', 'b', 'mine'] };
    const theirs: PolicyFields = {
      passMaxScore: 5,
      categories: { hate: { threshold: 0.4, action: 'report' }, spam: { action: 'ignore' } },
      blockedTerms: ['b', 'theirs'],
    };
    const expected: PolicyFields = {
      passMaxScore: 5,
      categories: { hate: { threshold: 0.3, action: 'report' }, spam: { action: 'ignore' } },
      blockedTerms: ['b', 'theirs', 'mine'],
    };
    expect(changedFields(rebased(base, mine, theirs), expected)).toEqual([]);
  });

  it('changes nothing where I changed nothing, and is mine alone where they changed nothing', () => {
    fc.assert(
      fc.property(policies, policies, (base, other) => {
        expect(changedFields(rebased(base, base, other), other)).toEqual([]);
        const mine = rebased(base, other, base);
        expect(changedFields(mine, other).filter((field) => !field.endsWith('Terms'))).toEqual([]);
        expect(new Set(mine.blockedTerms)).toEqual(new Set(other.blockedTerms));
      }),
    );
  });
});
