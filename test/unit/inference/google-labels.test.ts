import { describe, expect, it } from 'vitest';
import {
  GOOGLE_LABELS,
  labelProbabilities,
  sentimentProbabilities,
  type GoogleLabel,
  googleManifest,
} from '../../../src/inference/tfjs-toxicity/google-model.js';
import { SENTIMENTS } from '../../../src/labels.js';
import { judge } from '../../../src/moderation/verdict.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';
import { SETTINGS } from '../../support/settings.js';
import { testManifest } from '../../support/models/manifest.js';

const heads = (yes: Partial<Record<GoogleLabel, number>>) =>
  GOOGLE_LABELS.map((label) => ({
    label,
    results: [{ probabilities: Float32Array.of(1 - (yes[label] ?? 0), yes[label] ?? 0) }],
  }));

const probabilitiesWith = (yes: Partial<Record<GoogleLabel, number>>): number[] =>
  GOOGLE_LABELS.map((label) => yes[label] ?? 0);

describe('the labels of Google’s model', () => {
  it('are read by name, in our order, whatever order the heads have', () => {
    const read = labelProbabilities(heads({ threat: 0.75, insult: 0.25 }).reverse());
    expect(read).toEqual(probabilitiesWith({ threat: 0.75, insult: 0.25 }));
  });

  it.each([
    ['a head is missing', heads({}).slice(1)],
    ['a head is there twice', [...heads({}), ...heads({}).slice(0, 1)]],
    ['a head is no probability', heads({ toxicity: NaN })],
    ['a head is negative', heads({ insult: -0.5 })],
    ['a head has three ways', heads({}).map((head) => ({ ...head, results: [{ probabilities: [0.5, 0.5, 0] }] }))],
    ['no text was answered', heads({}).map((head) => ({ ...head, results: [] }))],
  ])('are refused where %s', (_what, predictions) => {
    expect(() => labelProbabilities(predictions)).toThrow(Error);
  });
});

describe('the sentiment without a sentiment head', () => {
  const of = (yes: Partial<Record<GoogleLabel, number>>): Record<string, number> => {
    const values = sentimentProbabilities(probabilitiesWith(yes));
    return Object.fromEntries(SENTIMENTS.map((sentiment, index) => [sentiment, values[index] ?? NaN]));
  };

  it('is negative as far as the most probable hostile label is', () => {
    expect(of({ toxicity: 0.25, insult: 0.75 })).toEqual({ positive: 0, negative: 0.75, neutral: 0.25 });
  });

  it('is neutral where nothing is hostile, and never positive', () => {
    expect(of({})).toEqual({ positive: 0, negative: 0, neutral: 1 });
  });

  it('does not take swearing or sexual words alone for hostility', () => {
    expect(of({ obscene: 1, sexual_explicit: 1 })).toEqual({ positive: 0, negative: 0, neutral: 1 });
  });
});

describe('verdicts on Google’s labels', () => {
  const { thresholds, ...others } = googleManifest({ id: 'x', version: '1.0.0', files: {} }).calibration;
  const calibration = { ...others, thresholds: { ...testManifest().calibration.thresholds, ...thresholds } };
  const verdictOn = (yes: Partial<Record<GoogleLabel, number>>) =>
    judge(
      {
        probabilities: {
          labels: new Map(GOOGLE_LABELS.map((label) => [label, yes[label] ?? 0])),
          sentiments: new Map([['neutral', 1]]),
          unread: 0,
        },
        foreignLetters: 0,
      },
      calibration,
      policyOfSettings(SETTINGS),
    );

  it.each([
    [0, 0, true],
    [0.49, 3, true],
    [0.5, 4, false],
    [0.84, 6, false],
    [0.85, 7, false],
    [1, 10, false],
  ])('toxicity %d scores %d', (toxicity, score, passed) => {
    expect(verdictOn({ toxicity })).toMatchObject({ score, passed });
  });

  it('name a category from where the package says match: true', () => {
    expect(verdictOn({ insult: 0.84 }).categories).toEqual([]);
    expect(verdictOn({ insult: 0.85 }).categories).toEqual(['insult']);
  });

  it('fail a threat and an attack on a group that are not toxic otherwise', () => {
    expect(verdictOn({ threat: 0.85 })).toMatchObject({ score: 4, passed: false, categories: ['threat'] });
    expect(verdictOn({ identity_attack: 0.85 })).toMatchObject({ score: 4, passed: false, categories: ['hate'] });
  });

  it('call severe toxicity Toxic', () => {
    expect(verdictOn({ severe_toxicity: 0.85 })).toMatchObject({ score: 7, band: 'Toxic' });
  });
});
