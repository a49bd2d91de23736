import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABELS, SENTIMENTS, type Label, type Sentiment } from '../../../src/labels.js';
import { CATEGORIES } from '../../../src/moderation/categories.js';
import type { TextProbabilities } from '../../../src/moderation/probabilities.js';
import { bandOf, judge, riskOf, scoreOf, type Verdict, type VerdictPolicy } from '../../../src/moderation/verdict.js';
import { testManifest } from '../../support/manifest.js';

const { calibration } = testManifest();
const POLICY: VerdictPolicy = { passMaxScore: 3, blockCategories: ['threat', 'hate', 'sexual', 'self_harm', 'spam'] };

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

  it('is raised by a label with a curve, linearly between its points', () => {
    expect(riskOf(probabilities({ toxicity: 0.1, threat: 0.5 }).labels, calibration)).toBeCloseTo(0.4, 10);
    expect(riskOf(probabilities({ toxicity: 0.1, threat: 0.75 }).labels, calibration)).toBeCloseTo(0.7, 10);
    expect(riskOf(probabilities({ toxicity: 0.9, threat: 0.75 }).labels, calibration)).toBe(0.9);
  });
});

describe('verdict', () => {
  it('passes a harmless text with nothing to say of it', () => {
    expect(judge(probabilities({}, { positive: 0.9, neutral: 0.1 }), calibration, POLICY)).toEqual({
      passed: true,
      score: 0,
      band: 'Safe',
      sentiment: 'positive',
      description: 'Safe (score 0 of 10); nothing was detected. Passed.',
      categories: [],
    });
  });

  it('lists categories under their API names, strongest first', () => {
    const verdict = judge(probabilities({ toxicity: 0.8, insult: 0.95, identity_attack: 0.6 }), calibration, POLICY);
    expect(verdict.categories).toEqual(['insult', 'toxic', 'hate']);
  });

  it('detects a label at exactly its threshold and not below', () => {
    expect(judge(probabilities({ spam: 0.5 }), calibration, POLICY).categories).toEqual(['spam']);
    expect(judge(probabilities({ spam: 0.4999 }), calibration, POLICY).categories).toEqual([]);
  });

  it('names "toxic" only from score 4 on', () => {
    const lenient = { ...calibration, thresholds: { ...calibration.thresholds, toxicity: 0.1 } };
    expect(judge(probabilities({ toxicity: 0.39 }), lenient, POLICY).categories).toEqual([]);
    expect(judge(probabilities({ toxicity: 0.4 }), lenient, POLICY).categories).toEqual(['toxic']);
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
    const verdictOf = (severe: number): Verdict => judge(probabilities({ severe_toxicity: severe }), early, POLICY);
    expect(verdictOf(0.2)).toMatchObject({ passed: false, score: 4, categories: ['toxic'] });
    expect(verdictOf(0.5).categories).toEqual(['severe_toxic']);
    expect(verdictOf(0.19)).toMatchObject({ passed: true, score: 3, categories: [] });
  });

  it('fails a text of a low score for a blocked category alone, and says so', () => {
    const verdict = judge(probabilities({ toxicity: 0.05, self_harm: 0.8 }), calibration, POLICY);
    expect(verdict).toMatchObject({ passed: false, score: 0, band: 'Safe', categories: ['self_harm'] });
    expect(verdict.description).toBe(
      'Safe (score 0 of 10); detected: self-harm. Failed, because self-harm is blocked.',
    );
  });

  it('says so where more than half of a text could not be read', () => {
    const readHalf = judge({ ...probabilities({}), unread: 0.5 }, calibration, POLICY);
    expect(readHalf.description).toBe('Safe (score 0 of 10); nothing was detected. Passed.');
    const readLess = judge({ ...probabilities({}), unread: 0.51 }, calibration, POLICY);
    expect(readLess.description).toBe(
      readHalf.description.replace(
        '. ',
        '; most of the text could not be read: it is in a script that the model does not know. ',
      ),
    );
  });

  it('passes a detected category that the operator does not block', () => {
    const verdict = judge(probabilities({ obscene: 0.9 }), calibration, POLICY);
    expect(verdict).toMatchObject({ passed: true, categories: ['obscene'] });
  });

  it('follows the operator on the highest score that passes', () => {
    const moderate = probabilities({ toxicity: 0.55 });
    expect(judge(moderate, calibration, POLICY)).toMatchObject({ passed: false, score: 5 });
    expect(judge(moderate, calibration, { ...POLICY, passMaxScore: 5 }).passed).toBe(true);
  });

  it('calls the sentiment of the Toxic band toxic, whatever the mood', () => {
    const cheerful = { positive: 1 };
    expect(judge(probabilities({ toxicity: 0.75 }, cheerful), calibration, POLICY).sentiment).toBe('toxic');
    expect(judge(probabilities({ toxicity: 0.65 }, cheerful), calibration, POLICY).sentiment).toBe('positive');
  });

  it('keeps its promises for any probabilities', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    const anyProbabilities = fc
      .tuple(
        fc.array(probability, { minLength: LABELS.length, maxLength: LABELS.length }),
        fc.array(probability, { minLength: SENTIMENTS.length, maxLength: SENTIMENTS.length }),
      )
      .map(([labels, sentiments]): TextProbabilities => ({
        labels: new Map(LABELS.map((label, index) => [label, labels[index] ?? 0])),
        sentiments: new Map(SENTIMENTS.map((sentiment, index) => [sentiment, sentiments[index] ?? 0])),
        unread: 0,
      }));
    const anyPolicy = fc.record({
      passMaxScore: fc.integer({ min: 0, max: 10 }),
      blockCategories: fc.subarray([...CATEGORIES]),
    });
    fc.assert(
      fc.property(anyProbabilities, anyPolicy, (input, policy) => {
        const verdict = judge(input, calibration, policy);
        const blocked = verdict.categories.some((category) => policy.blockCategories.includes(category));
        expect(verdict.passed).toBe(verdict.score <= policy.passMaxScore && !blocked);
        expect(verdict.band).toBe(bandOf(verdict.score));
        expect(verdict.sentiment === 'toxic').toBe(verdict.score >= 7);
        expect(new Set(verdict.categories).size).toBe(verdict.categories.length);
        expect(verdict.description).toMatch(verdict.passed ? /Passed/ : /Failed/);
      }),
    );
  });
});
