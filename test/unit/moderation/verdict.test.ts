import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABELS, SENTIMENTS, type Label, type Sentiment } from '../../../src/labels.js';
import { CATEGORY_WORDING, LABEL_CATEGORIES } from '../../../src/moderation/categories.js';
import type { TextProbabilities } from '../../../src/moderation/pooling.js';
import type { Calibration } from '../../../src/inference/manifest.js';
import { bandOf, judge, riskOf, scoreOf, type Verdict } from '../../../src/moderation/verdict.js';
import { policyOfSettings, type PolicySettings } from '../../../src/moderation/verdict-policy.js';
import { SETTINGS } from '../../support/settings.js';
import { testManifest } from '../../support/models/manifest.js';

const { calibration } = testManifest();

function probabilities(
  labels: Partial<Record<Label, number>>,
  sentiments: Partial<Record<Sentiment, number>> = { neutral: 1 },
): TextProbabilities {
  return {
    labels: new Map(LABELS.map((label) => [label, labels[label] ?? 0])),
    sentiments: new Map(SENTIMENTS.map((sentiment) => [sentiment, sentiments[sentiment] ?? 0])),
    unread: 0,
  };
}

/** The verdict on a text of scripts that the model knows. */
const judged = (input: TextProbabilities, of: Calibration, policy: PolicySettings): Verdict =>
  judge({ probabilities: input, foreignLetters: 0 }, of, policyOfSettings(policy));

describe('score', () => {
  it.each([
    [0, 0],
    [0.0999, 0],
    [0.1, 1],
    [0.3999, 3],
    [0.4, 4],
    [0.6999, 6],
    [0.7, 7],
    [0.95, 10],
    [1, 10],
  ])('of risk %f is %i', (risk, score) => {
    expect(scoreOf(risk, calibration)).toBe(score);
  });

  it('never falls when the risk rises', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        expect(scoreOf(Math.max(a, b), calibration)).toBeGreaterThanOrEqual(scoreOf(Math.min(a, b), calibration));
      }),
    );
  });

  it('has the bands of the interface', () => {
    expect(Array.from({ length: 11 }, (_, score) => bandOf(score))).toEqual([
      ...Array<string>(4).fill('Safe'),
      ...Array<string>(3).fill('Moderate'),
      ...Array<string>(4).fill('Toxic'),
    ]);
  });
});

describe('risk', () => {
  it('is the toxicity when nothing raises it', () => {
    expect(riskOf(probabilities({ toxicity: 0.33, insult: 0.9 }).labels, calibration)).toBe(0.33);
  });

  it('is raised by a label with a curve, and never lowered', () => {
    expect(riskOf(probabilities({ toxicity: 0.1, threat: 0.5 }).labels, calibration)).toBeCloseTo(0.4, 10);
    expect(riskOf(probabilities({ toxicity: 0.9, threat: 0.75 }).labels, calibration)).toBe(0.9);
  });

  const threat: [number, number][] = [
    [0.2, 0.1],
    [0.4, 0.3],
    [0.4, 0.5],
    [0.8, 0.9],
  ];
  it.each([
    [0, 0.1],
    [0.2, 0.1],
    [0.3, 0.2],
    [0.4, 0.3],
    [0.6, 0.7],
    [1, 0.9],
  ])('at %f of a curve is %f: linear between its points and constant beyond them', (probability, risk) => {
    const curved = { ...calibration, riskCurves: { threat } };
    expect(riskOf(new Map([['threat', probability]]), curved)).toBeCloseTo(risk, 12);
  });
});

describe('verdict', () => {
  it('passes a harmless text with nothing to say of it', () => {
    expect(judged(probabilities({}, { positive: 0.9, neutral: 0.1 }), calibration, SETTINGS)).toEqual({
      passed: true,
      score: 0,
      band: 'Safe',
      sentiment: 'positive',
      description: 'Passed: a score of 0 of 10 (Safe). Nothing was detected.',
      categories: [],
    });
  });

  it('lists categories under their API names, strongest first', () => {
    const verdict = judged(probabilities({ toxicity: 0.8, insult: 0.95, identity_attack: 0.6 }), calibration, SETTINGS);
    expect(verdict.categories).toEqual(['insult', 'toxic', 'hate']);
  });

  it('detects a label at exactly its threshold and not below', () => {
    expect(judged(probabilities({ spam: 0.5 }), calibration, SETTINGS).categories).toEqual(['spam']);
    expect(judged(probabilities({ spam: 0.4999 }), calibration, SETTINGS).categories).toEqual([]);
  });

  it('names "toxic" only from score 4 on', () => {
    const lenient = { ...calibration, thresholds: { ...calibration.thresholds, toxicity: 0.1 } };
    expect(judged(probabilities({ toxicity: 0.39 }), lenient, SETTINGS).categories).toEqual([]);
    expect(judged(probabilities({ toxicity: 0.4 }), lenient, SETTINGS).categories).toEqual(['toxic']);
  });

  it('calls a text toxic that is not safe for a label below its own threshold', () => {
    const early = {
      ...calibration,
      riskCurves: {
        severe_toxicity: [
          [0, 0],
          [0.2, 0.4],
          [1, 1],
        ] as [number, number][],
      },
    };
    const verdictOf = (severe: number): Verdict => judged(probabilities({ severe_toxicity: severe }), early, SETTINGS);
    expect(verdictOf(0.2)).toMatchObject({ passed: false, score: 4, categories: ['toxic'] });
    expect(verdictOf(0.5).categories).toEqual(['severe_toxic']);
    expect(verdictOf(0.19)).toMatchObject({ passed: true, score: 3, categories: [] });
  });

  it.each<[Label, string, string]>([
    ['self_harm', 'self_harm', 'self-harm'],
    ['spam', 'spam', 'spam'],
    ['sexual_explicit', 'sexual', 'sexual content'],
  ])(
    'fails a text of a low score for %s alone, names it first and calls the text nowhere safe',
    (label, name, words) => {
      const verdict = judged(probabilities({ toxicity: 0.05, [label]: 0.8 }, { positive: 1 }), calibration, SETTINGS);
      expect(verdict).toMatchObject({ passed: false, score: 0, band: 'Safe', categories: [name] });
      expect(verdict.description).toBe(`Failed: ${words}, whatever the score.`);
      // Of how the text reads, not of whether it passes: it is not for the policy to change.
      expect(verdict.sentiment).toBe('positive');
    },
  );

  it('says so where more than half of the words are unknown, of whatever script', () => {
    const readHalf = judged({ ...probabilities({}), unread: 0.5 }, calibration, SETTINGS);
    expect(readHalf.description).toBe('Passed: a score of 0 of 10 (Safe). Nothing was detected.');
    const readLess = judged({ ...probabilities({}), unread: 0.51 }, calibration, SETTINGS);
    expect(readLess.description).toBe(
      'Passed: a score of 0 of 10 (Safe). The model does not know most words or signs of the text; nothing was detected.',
    );
  });

  it('takes the first of the manifest of sentiments that are equally likely', () => {
    const even = probabilities({}, { positive: 0.5, negative: 0.5 });
    expect(judged(even, calibration, SETTINGS).sentiment).toBe('positive');
  });

  it('calls the sentiment of the Toxic band toxic, whatever the mood', () => {
    const cheerful = { positive: 1 };
    expect(judged(probabilities({ toxicity: 0.75 }, cheerful), calibration, SETTINGS).sentiment).toBe('toxic');
    expect(judged(probabilities({ toxicity: 0.65 }, cheerful), calibration, SETTINGS).sentiment).toBe('positive');
  });

  it('is of a score that is not safe where severe toxicity is detected, whatever the curves say', () => {
    const severe = judged(probabilities({ severe_toxicity: 0.5 }), calibration, SETTINGS);
    expect(severe).toMatchObject({ passed: false, score: 4, band: 'Moderate', categories: ['severe_toxic'] });
    expect(severe.description).toBe(
      'Failed: a score of 4 of 10 (Moderate, at most 3 passes). Detected: severe toxicity.',
    );
    expect(judged(probabilities({ severe_toxicity: 0.4999 }), calibration, SETTINGS)).toMatchObject({ score: 0 });
    expect(judged(probabilities({ severe_toxicity: 0.5 }), calibration, { ...SETTINGS, passMaxScore: 4 }).passed).toBe(
      true,
    );
    expect(judged(probabilities({ severe_toxicity: 0.5, toxicity: 0.75 }), calibration, SETTINGS).score).toBe(7);
  });
});

describe('verdict on a text with letters of scripts that the model does not know', () => {
  const verdictOf = (
    foreignLetters: number,
    labels: Partial<Record<Label, number>> = {},
    policy: Partial<PolicySettings> = {},
  ): Verdict =>
    judge(
      { probabilities: probabilities(labels), foreignLetters },
      calibration,
      policyOfSettings({ ...SETTINGS, ...policy }),
    );

  it('is that of a readable text up to a half of them', () => {
    expect(verdictOf(0.5)).toEqual(judged(probabilities({}), calibration, SETTINGS));
  });

  it('fails above a half, does not call it safe, and says that most of it could not be read', () => {
    expect(verdictOf(0.51)).toMatchObject({
      passed: false,
      score: 0,
      band: 'Safe',
      sentiment: 'neutral',
      categories: ['unreadable'],
      description:
        'Failed: unreadable text. Most of the text is in a script that the model does not know; ' +
        'nothing was detected in what was read.',
    });
  });

  it('passes where the policy says so, and nothing else fails it', () => {
    const lenient = { unreadable: 'pass' } as const;
    expect(verdictOf(1, {}, lenient)).toMatchObject({ passed: true, categories: ['unreadable'] });
    expect(verdictOf(1, { spam: 0.9 }, lenient)).toMatchObject({ passed: false, categories: ['spam', 'unreadable'] });
    expect(verdictOf(1, { toxicity: 0.9 }, lenient)).toMatchObject({ passed: false, score: 9 });
  });

  it('names it after all that was detected in the rest', () => {
    expect(verdictOf(1, { toxicity: 0.6, insult: 0.9 }).categories).toEqual(['insult', 'toxic', 'unreadable']);
  });
});

describe('verdict on a text in a language that the model does not know', () => {
  const verdictOf = (tag: string, probability: number, foreignLetters: number | undefined = 0): Verdict =>
    judge(
      { probabilities: { ...probabilities({}), language: { tag, probability } }, foreignLetters },
      calibration,
      policyOfSettings(SETTINGS),
    );

  it('fails from a probability of a half on, and says why', () => {
    expect(verdictOf('other', 0.5)).toMatchObject({ passed: false, categories: ['unreadable'] });
    expect(verdictOf('other', 0.5).description).toContain('is in a language that the model does not know');
    expect(verdictOf('other', 0.49)).toEqual(judged(probabilities({}), calibration, SETTINGS));
  });

  it('is that of a readable text for any language that the model knows', () => {
    expect(verdictOf('ru', 1)).toMatchObject({ passed: true, categories: [] });
  });

  it('names the script where that is unknown as well', () => {
    expect(verdictOf('other', 1, 1).description).toContain('is in a script that the model does not know');
  });

  it('is that of a readable text where there are no letters, which are in no language', () => {
    const { passed, categories } = judge(
      {
        probabilities: { ...probabilities({}), language: { tag: 'other', probability: 1 } },
        foreignLetters: undefined,
      },
      calibration,
      policyOfSettings(SETTINGS),
    );
    expect([passed, categories]).toEqual([true, []]);
  });
});

describe('a verdict on any probabilities', () => {
  // Most doubles are next to nothing: hundredths are there so that labels are detected.
  const probability = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  );
  const anyText = fc
    .tuple(
      fc.array(probability, { minLength: LABELS.length, maxLength: LABELS.length }),
      fc.array(probability, { minLength: SENTIMENTS.length, maxLength: SENTIMENTS.length }),
      probability,
      probability,
    )
    .map(([labels, sentiments, unread, foreignLetters]) => ({
      probabilities: {
        labels: new Map(LABELS.map((label, index) => [label, labels[index] ?? 0])),
        sentiments: new Map(SENTIMENTS.map((sentiment, index) => [sentiment, sentiments[index] ?? 0])),
        unread,
      },
      foreignLetters,
    }));
  const anyPolicy: fc.Arbitrary<PolicySettings> = fc.record({
    passMaxScore: fc.integer({ min: 0, max: 10 }),
    blockCategories: fc.subarray([...LABEL_CATEGORIES]),
    unreadable: fc.constantFrom('fail', 'pass'),
  });

  it('does not contradict itself', () => {
    fc.assert(
      fc.property(anyText, anyPolicy, (text, policy) => {
        const { score, band, sentiment, categories } = judge(text, calibration, policyOfSettings(policy));
        if (categories.includes('severe_toxic') || categories.includes('toxic'))
          expect(score).toBeGreaterThanOrEqual(4);
        if (score >= 4) expect(categories).not.toEqual([]);
        expect(band).toBe(bandOf(score));
        expect(sentiment === 'toxic').toBe(score >= 7);
        expect(new Set(categories).size).toBe(categories.length);
        expect(categories.slice(0, -1)).not.toContain('unreadable');
        expect(categories.at(-1) === 'unreadable').toBe(text.foreignLetters > 0.5);
      }),
    );
  });

  it('passes by the policy alone', () => {
    fc.assert(
      fc.property(anyText, anyPolicy, (text, policy) => {
        const { passed, score, categories } = judge(text, calibration, policyOfSettings(policy));
        const failing: readonly string[] =
          policy.unreadable === 'fail' ? [...policy.blockCategories, 'unreadable'] : policy.blockCategories;
        expect(passed).toBe(score <= policy.passMaxScore && !categories.some((category) => failing.includes(category)));
      }),
    );
  });

  it('is described in two sentences at most, the reason first, and a text that fails is nowhere called safe', () => {
    fc.assert(
      fc.property(anyText, anyPolicy, (text, policy) => {
        const { passed, score, band, categories, description } = judge(text, calibration, policyOfSettings(policy));
        expect(description).toMatch(passed ? /^Passed: [^.]+\. [^.]+\.$/ : /^Failed: [^.]+\.(?: [^.]+\.)?$/);
        const isUnreadable = categories.includes('unreadable');
        if (!passed || isUnreadable) expect(description).not.toMatch(/safe/i);
        expect(description.includes('is in a script that the model does not know')).toBe(isUnreadable);
        const [reason = ''] = description.replace(/^Failed: /, '').split(/\.(?: |$)/);
        const reasons = reason.split(/, | and /);
        const scoreFails = score > policy.passMaxScore;
        if (!passed) {
          for (const category of LABEL_CATEGORIES.filter((each) => categories.includes(each))) {
            expect(reasons.includes(CATEGORY_WORDING[category])).toBe(policy.blockCategories.includes(category));
          }
          expect(reasons.includes('unreadable text')).toBe(isUnreadable && policy.unreadable === 'fail');
        }
        if (band !== 'Safe') expect(description.includes(`(${band}, `)).toBe(passed || scoreFails);
      }),
    );
  });
});
