/** Promises of what is to be reviewed: what the policy marks, and the nearer to a threshold the sooner. */
import { describe, expect, it } from 'vitest';
import { decisionIdAt } from '../../../src/decisions/decision-record.js';
import type { Label } from '../../../src/labels.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { perCategory, policyOfSettings, type VerdictPolicy } from '../../../src/moderation/verdict-policy.js';
import { reviewOf, wantsSecondReview } from '../../../src/reviews/review-of.js';
import { createFakeClassifier } from '../../support/models/fake-classifier.js';
import { SETTINGS } from '../../support/settings.js';

const settings = policyOfSettings({ ...SETTINGS, passMaxScore: 10 });
const reviewed: VerdictPolicy = {
  ...settings,
  categories: perCategory((category) =>
    category === 'insult' ? { action: 'review', threshold: 0.5 } : { action: 'ignore' },
  ),
};

async function analysisOf(labels: Partial<Record<Label, number>>, policy: VerdictPolicy) {
  const classifier = createFakeClassifier(() => ({ labels }));
  return createAnalyzer({ classifier, policy, cacheMaxEntries: 0 }).analyze('some text');
}

describe('a decision', () => {
  it('with a category to be reviewed passes, says so, and is marked', async () => {
    const analysis = await analysisOf({ insult: 0.6 }, reviewed);
    expect(analysis.verdict).toMatchObject({ passed: true, categories: ['insult'] });
    expect(reviewOf(analysis)).toBeCloseTo(0.1);
    expect(reviewOf(await analysisOf({ insult: 0.95 }, reviewed))).toBeCloseTo(0.45);
  });

  it('without one is not, however near it comes', async () => {
    expect(reviewOf(await analysisOf({ insult: 0.49 }, reviewed))).toBeUndefined();
    expect(reviewOf(await analysisOf({ insult: 0.9 }, settings))).toBeUndefined();
  });

  it('of a score in the band is, whether it passed or not', async () => {
    const { verdict } = await analysisOf({ toxicity: 0.9 }, settings);
    const scores = { from: verdict.score, to: verdict.score };
    for (const passMaxScore of [0, 10]) {
      const inBand = await analysisOf({ toxicity: 0.9 }, { ...settings, passMaxScore, review: { scores } });
      expect(inBand.verdict.passed).toBe(passMaxScore === 10);
      expect(reviewOf(inBand)).toBeGreaterThan(0);
    }
    const above = { scores: { from: verdict.score + 1, to: verdict.score + 1 } };
    expect(reviewOf(await analysisOf({ toxicity: 0.9 }, { ...settings, review: above }))).toBeUndefined();
  });
});

describe('a second review', () => {
  it('is of the share that is wanted, and of the same decisions and more where that is higher', () => {
    const ids = Array.from({ length: 4000 }, (_, index) => decisionIdAt(1_800_000_000_000 + index));
    const chosen = [0, 0.1, 0.5, 1].map((share) => ids.filter((id) => wantsSecondReview(id, share)));
    const [none = [], few = [], half = [], all = []] = chosen;
    expect([none.length, all.length]).toEqual([0, ids.length]);
    // Beyond five standard deviations in 1 of a million runs.
    expect(Math.abs(few.length - 400)).toBeLessThan(5 * Math.sqrt(4000 * 0.1 * 0.9));
    expect(Math.abs(half.length - 2000)).toBeLessThan(5 * Math.sqrt(4000 * 0.5 * 0.5));
    expect(half).toEqual(expect.arrayContaining(few));
  });
});
