/** Promises of the map from a label's probability to risk, and of the choice among sentiments. */
import { describe, expect, it } from 'vitest';
import type { Label, Sentiment } from '../../../src/labels.js';
import { judge, riskOf } from '../../../src/moderation/verdict.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';
import type { TextProbabilities } from '../../../src/moderation/pooling.js';
import { testManifest } from '../../support/manifest.js';

const { calibration } = testManifest();
const policy = policyOfSettings({ passMaxScore: 3, blockCategories: [], unreadable: 'fail' });
const threatCurve: [number, number][] = [
  [0.2, 0.1],
  [0.4, 0.3],
  [0.4, 0.5],
  [0.8, 0.9],
];
const curved = { ...calibration, riskCurves: { threat: threatCurve } };

function probabilities(labels: [Label, number][], sentiments: [Sentiment, number][]): TextProbabilities {
  return { labels: new Map(labels), sentiments: new Map(sentiments), unread: 0 };
}

describe('a risk curve', () => {
  it.each([
    [0, 0.1],
    [0.1, 0.1],
    [0.2, 0.1],
    [0.3, 0.2],
    [0.4, 0.3],
    [0.6, 0.7],
    [0.8, 0.9],
    [1, 0.9],
  ])('at %f is %f: linear between its points and constant beyond them', (threat, risk) => {
    expect(riskOf(new Map([['threat', threat]]), curved)).toBeCloseTo(risk, 12);
  });
});

describe('of sentiments that are equally likely', () => {
  it('the first of the manifest is the one', () => {
    const even = probabilities(
      [],
      [
        ['positive', 0.5],
        ['negative', 0.5],
      ],
    );
    expect(judge({ probabilities: even, foreignLetters: 0 }, calibration, policy).sentiment).toBe('positive');
  });
});
