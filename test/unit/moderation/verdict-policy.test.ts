/** Promises of a policy: thresholds and actions of its own, blocked terms, and never another score. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Classifier } from '../../../src/inference/classifier.js';
import { LABELS, type Label } from '../../../src/labels.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { LABEL_CATEGORIES } from '../../../src/moderation/categories.js';
import {
  CATEGORY_ACTIONS,
  perCategory,
  policyOfSettings,
  type CategoryRule,
  type VerdictPolicy,
} from '../../../src/moderation/verdict-policy.js';
import { judge, type JudgedText, type Verdict } from '../../../src/moderation/verdict.js';
import { termsOf } from '../../../src/policies/resolve-policy.js';
import { createFakeClassifier } from '../../support/models/fake-classifier.js';
import { testManifest } from '../../support/models/manifest.js';
import { probabilitiesOf } from '../../support/models/probabilities.js';

const { calibration } = testManifest();
const SETTINGS = policyOfSettings({ passMaxScore: 3, blockCategories: ['threat', 'hate'], unreadable: 'fail' });

const REPORTED: CategoryRule = { action: 'report' };

const policyWith = (
  rules: Partial<Record<(typeof LABEL_CATEGORIES)[number], CategoryRule>>,
  more: Partial<VerdictPolicy> = {},
): VerdictPolicy => ({ ...SETTINGS, categories: { ...SETTINGS.categories, ...rules }, ...more });

const verdictOn = (
  labels: Partial<Record<Label, number>>,
  policy: VerdictPolicy,
  more: Partial<JudgedText> = {},
): Verdict => judge({ probabilities: probabilitiesOf(labels, 0), foreignLetters: 0, ...more }, calibration, policy);

describe('a category under a policy', () => {
  it('is detected from the threshold of the policy on', () => {
    const policy = policyWith({ insult: { action: 'fail', threshold: 0.2 } });
    expect(verdictOn({ insult: 0.2 }, policy)).toMatchObject({ passed: false, categories: ['insult'] });
    expect(verdictOn({ insult: 0.19 }, policy)).toMatchObject({ passed: true, categories: [] });
    const strict = policyWith({ hate: { action: 'fail', threshold: 0.9 } });
    expect(verdictOn({ identity_attack: 0.8 }, strict)).toMatchObject({ passed: true, categories: [] });
  });

  it('fails, is only reported, or is not named at all', () => {
    const labels = { spam: 0.9 };
    expect(verdictOn(labels, policyWith({ spam: { action: 'fail' } }))).toMatchObject({
      passed: false,
      categories: ['spam'],
      description: 'Failed: spam, whatever the score.',
    });
    expect(verdictOn(labels, policyWith({ spam: { action: 'report' } }))).toMatchObject({
      passed: true,
      categories: ['spam'],
    });
    expect(verdictOn(labels, policyWith({ spam: { action: 'ignore' } }))).toMatchObject({
      passed: true,
      categories: [],
      description: 'Passed: a score of 0 of 10 (Safe). Nothing was detected that the policy counts.',
    });
  });

  it('toxic follows the score, unless the policy gives it a threshold', () => {
    expect(verdictOn({ toxicity: 0.35 }, policyWith({ toxic: { action: 'fail' } })).categories).toEqual([]);
    expect(verdictOn({ toxicity: 0.35 }, policyWith({ toxic: { action: 'fail', threshold: 0.3 } }))).toMatchObject({
      passed: false,
      score: 3,
      categories: ['toxic'],
    });
    expect(verdictOn({ toxicity: 0.8 }, policyWith({ toxic: { action: 'report', threshold: 0.9 } }))).toMatchObject({
      passed: false,
      score: 8,
      categories: [],
    });
  });
});

describe('a score under a policy', () => {
  it('is the same under every policy, as are band and sentiment', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    const rule = fc.record(
      { action: fc.constantFrom(...CATEGORY_ACTIONS), threshold: probability },
      { requiredKeys: ['action'] },
    );
    const anyPolicy = fc
      .tuple(fc.integer({ min: 0, max: 10 }), fc.array(rule, { minLength: 9, maxLength: 9 }))
      .map(([passMaxScore, rules]): VerdictPolicy => {
        const byCategory = perCategory((category) => rules[LABEL_CATEGORIES.indexOf(category)] ?? REPORTED);
        return { passMaxScore, categories: byCategory, unreadable: 'fail' };
      });
    fc.assert(
      fc.property(fc.array(probability, { minLength: 9, maxLength: 9 }), anyPolicy, (values, policy) => {
        const labels = Object.fromEntries(LABELS.map((label, index) => [label, values[index] ?? 0]));
        const { score, band, sentiment, categories, passed } = verdictOn(labels, policy);
        const own = verdictOn(labels, SETTINGS);
        expect([score, band, sentiment]).toEqual([own.score, own.band, own.sentiment]);
        const actions = LABEL_CATEGORIES.filter((name) => categories.includes(name)).map(
          (name) => policy.categories[name].action,
        );
        expect(actions).not.toContain('ignore');
        expect(passed).toBe(
          score <= policy.passMaxScore && !actions.some((action) => action === 'fail' || action === 'mask'),
        );
      }),
    );
  });
});

describe('a blocked term', () => {
  it('always fails, is named first, and the description never quotes it', () => {
    const lenient = policyWith({ spam: { action: 'report' } }, { passMaxScore: 10, unreadable: 'pass' });
    const blockedTerms = [{ start: 3, end: 8 }];
    expect(verdictOn({ spam: 0.9 }, lenient, { blockedTerms, foreignLetters: 1 })).toMatchObject({
      passed: false,
      score: 0,
      categories: ['blocked_term', 'spam', 'unreadable'],
    });
    expect(verdictOn({}, lenient, { blockedTerms }).description).toBe('Failed: a blocked term, whatever the score.');
    expect(verdictOn({}, lenient, { blockedTerms: [] })).toMatchObject({ passed: true, categories: [] });
  });
});

describe('an analyzer under several policies', () => {
  const adults = policyWith(
    { obscene: { action: 'report', threshold: 0.9 }, insult: { action: 'ignore' } },
    { passMaxScore: 10 },
  );
  const children = policyWith(
    { obscene: { action: 'fail', threshold: 0.1 } },
    { origin: { name: 'children', version: 4 } },
  );

  it('reads a text once and never answers with the verdict of another policy', async () => {
    const classifier = createFakeClassifier(() => ({ labels: { obscene: 0.65, insult: 0.7, toxicity: 0.6 } }));
    const analyzer = createAnalyzer({ classifier, policy: SETTINGS, cacheMaxEntries: 10 });
    const first = await analyzer.analyze('damn', { policy: adults });
    expect(first).toMatchObject({ policy: adults, verdict: { passed: true, categories: ['toxic'] } });
    expect(first.spans().map(({ label }) => label)).toEqual(['toxicity']);
    const second = await analyzer.analyze('damn', { policy: children });
    expect(second).toMatchObject({ cached: true, verdict: { passed: false } });
    expect(second.verdict.categories).toEqual(['insult', 'obscene', 'toxic']);
    expect((await analyzer.analyze('damn')).policy).toBe(SETTINGS);
    expect(second.under(adults).verdict).toEqual(first.verdict);
    expect(classifier.calls).toHaveLength(1);
  });

  it('does not take what was read under other terms', async () => {
    const classifier = createFakeClassifier(() => ({}));
    const analyzer = createAnalyzer({ classifier, policy: SETTINGS, cacheMaxEntries: 10 });
    const withTerms = (digest: string) => ({ ...adults, terms: termsOf({ blockedTerms: [digest] }) });
    await analyzer.analyze('hello', { policy: adults });
    for (const digest of ['one', 'other']) {
      expect((await analyzer.analyze('hello', { policy: withTerms(digest) })).cached).toBe(false);
    }
    expect((await analyzer.analyze('hello', { policy: withTerms('one') })).cached).toBe(true);
    expect(classifier.calls).toHaveLength(3);
  });

  it('hands the terms to the classifier, and points at those that it finds, from the cache as well', async () => {
    const fake = createFakeClassifier(() => ({ labels: { obscene: 0.95 } }));
    const asked: unknown[] = [];
    const classifier: Classifier = {
      ...fake,
      async classify(text, caller) {
        asked.push(caller?.terms);
        const found = { ...(await fake.classify(text)), blockedTerms: [{ start: 4, end: 7 }] };
        return caller?.terms === undefined ? fake.classify(text) : found;
      },
    };
    const analyzer = createAnalyzer({ classifier, policy: SETTINGS, cacheMaxEntries: 10 });
    const terms = termsOf({ blockedTerms: ['foo'] });
    for (const cached of [false, true]) {
      const { verdict, spans, ...rest } = await analyzer.analyze('the foo', { policy: { ...adults, terms } });
      expect(rest.cached).toBe(cached);
      expect(verdict).toMatchObject({ passed: false, categories: ['blocked_term', 'obscene'] });
      expect(spans()).toEqual([
        { start: 0, end: 7, label: 'obscene', probability: 0.95 },
        { start: 4, end: 7, label: 'blocked_term', probability: 1 },
      ]);
    }
    expect((await analyzer.analyze('the foo', { policy: adults })).verdict.passed).toBe(true);
    expect(asked).toEqual([terms, undefined]);
  });

  it('tells the thresholds of each', () => {
    const analyzer = createAnalyzer({
      classifier: createFakeClassifier(() => ({})),
      policy: SETTINGS,
      cacheMaxEntries: 1,
    });
    expect(analyzer.thresholdsUnder(children)).toMatchObject({ obscene: 0.1, insult: 0.5 });
    expect(analyzer.thresholdsUnder(SETTINGS)).toEqual(calibration.thresholds);
  });
});
