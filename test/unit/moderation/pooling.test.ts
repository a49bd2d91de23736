/** Promises of pooling: the text's probabilities follow from those of what was read by the manifest, and by nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Prediction } from '../../../src/inference/classifier.js';
import type { Manifest } from '../../../src/inference/manifest.js';
import { createPooling } from '../../../src/moderation/pooling.js';
import { segmentOf } from '../../support/models/fake-classifier.js';
import { languagesManifest, pooledManifest, testManifest } from '../../support/models/manifest.js';

const ofFormat1 = testManifest();

const segment = (toxicity: number, positive = 0, tokens = 10): Prediction => ({
  ...segmentOf({ labels: { toxicity }, sentiments: { positive, neutral: 1 - positive } }, ofFormat1),
  tokens,
});

/** @param whole the toxicity of the whole text, where it was read */
function pooledToxicity(toxicities: readonly number[], manifest: Manifest, whole?: number): number {
  const predictions = toxicities.map((toxicity) => segment(toxicity));
  const judged = { predictions, whole: whole === undefined ? undefined : segment(whole) };
  return createPooling(manifest)(judged).labels.get('toxicity') ?? NaN;
}

const logit = (probability: number): number => Math.log(probability / (1 - probability));

describe('pooling by a manifest of format 1', () => {
  it('takes the strongest segment of each label, exactly, wherever it stands', () => {
    const judged = [
      segmentOf({ labels: { toxicity: 0.7, insult: 0.2 } }, ofFormat1),
      segmentOf({ labels: { toxicity: 0.1, insult: 0.9 } }, ofFormat1),
    ];
    const { labels } = createPooling(ofFormat1)({ predictions: judged });
    expect([labels.get('toxicity'), labels.get('insult')]).toEqual([0.7, 0.9]);
  });

  it.each([0, 1])('keeps a probability of exactly %i', (probability) => {
    expect(pooledToxicity([probability, 0], ofFormat1)).toBe(probability);
  });
});

describe('pooling by a manifest of format 2', () => {
  // Odds of 9, 1, 1/9 and 1/99: with epsilon 0.01 their heights are ln 891, ln 99, ln 11 and 0.
  const [ninety, fifty, ten, one] = [Math.log(891), Math.log(99), Math.log(11), 0];
  const toxicities = [0.01, 0.9, 0.1, 0.5];

  it.each([
    ['the bias', { bias: -1.5 }, -1.5],
    ['the highest segment', { highest: 0.5 }, 0.5 * ninety],
    ['the second segment', { second: 0.5 }, 0.5 * fifty],
    ['the mean of all others', { rest: 0.5 }, (0.5 * (ten + one)) / 2],
    ['the number of segments', { count: 0.5 }, -0.5 * Math.log(4)],
    ['the highest segment for a whole that was not read', { whole: 0.5 }, 0.5 * ninety],
    [
      'all of them',
      { bias: -2, highest: 0.5, second: 0.25, rest: 0.125, count: 1 },
      -2 + 0.5 * ninety + 0.25 * fifty + 0.0625 * ten - Math.log(4),
    ],
  ])('counts %s by its weight', (_what, weights, expected) => {
    expect(logit(pooledToxicity(toxicities, pooledManifest(weights)))).toBeCloseTo(expected, 9);
  });

  it('does not count the number of segments where the whole was read', () => {
    expect(logit(pooledToxicity(toxicities, pooledManifest({ count: 0.5 }), 0.3))).toBeCloseTo(0, 9);
  });

  it('counts the whole text where it was read', () => {
    const manifest = pooledManifest({ bias: -1, whole: 0.5 });
    expect(logit(pooledToxicity(toxicities, manifest, 0.5))).toBeCloseTo(-1 + 0.5 * fifty, 9);
  });

  describe('of windows', () => {
    const windows: readonly (readonly [asOne: number, worst: number])[] = [
      [0.1, 0.5],
      [0.5, 0.1],
      [0.01, 0.9],
    ];
    const ofWindows = (manifest: Manifest, read = windows): number =>
      createPooling(manifest)({
        predictions: read.map(([asOne, worst]) => ({
          ...segment(asOne),
          highest: segmentOf({ labels: { toxicity: worst } }, manifest).labels,
        })),
      }).labels.get('toxicity') ?? NaN;

    it.each([
      ['the worst segment of the highest window', { highest: 0.5 }, 0.5 * ninety],
      ['that of the second', { second: 0.5 }, 0.5 * fifty],
      ['that of all others', { rest: 0.5 }, 0.5 * ten],
      ['the highest window as one', { whole: 0.5 }, 0.5 * fifty],
      ['the number of windows', { count: 0.5 }, -0.5 * Math.log(3)],
    ])('counts %s by its weight', (_what, weights, expected) => {
      expect(logit(ofWindows(pooledManifest(weights)))).toBeCloseTo(expected, 9);
    });

    it('takes a window of one segment for both', () => {
      const predictions = [segment(0.5), { ...segment(0.1), highest: segment(0.9).labels }];
      const pooled = (weights: Parameters<typeof pooledManifest>[0]): number =>
        logit(createPooling(pooledManifest(weights))({ predictions }).labels.get('toxicity') ?? NaN);
      expect(pooled({ second: 1 })).toBeCloseTo(fifty, 9);
      expect(pooled({ whole: 1 })).toBeCloseTo(fifty, 9);
    });

    it('takes the worst segment by a manifest of format 1', () => {
      expect(ofWindows(ofFormat1)).toBe(0.9);
    });
  });

  it('gives a text of one segment that segment where the weights say so', () => {
    const manifest = pooledManifest({ bias: logit(0.01), highest: 1, second: 3, rest: 3, count: 3 });
    expect(pooledToxicity([0.7], manifest)).toBeCloseTo(0.7, 12);
  });

  it('takes what is below epsilon for none, and stays finite for what is certain', () => {
    const manifest = pooledManifest({ highest: 1, second: 1 });
    expect(pooledToxicity([0.5, 0], manifest)).toBe(pooledToxicity([0.5, 0.01], manifest));
    expect(pooledToxicity([1, 1], manifest)).toBeLessThanOrEqual(1);
    expect(pooledToxicity([1, 1], manifest)).toBeGreaterThan(0.999);
  });

  it('never makes a text safer for a segment, or a whole, that is worse', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    const weight = fc.double({ min: 0, max: 3, noNaN: true });
    const weights = fc.record({
      bias: fc.double({ min: -8, max: 2, noNaN: true }),
      highest: weight,
      whole: weight,
      second: weight,
      rest: weight,
      count: weight,
    });
    fc.assert(
      fc.property(
        weights,
        fc.array(probability, { minLength: 1, maxLength: 8 }),
        fc.option(probability, { nil: undefined }),
        fc.nat(),
        probability,
        (given, segments, whole, place, other) => {
          const manifest = pooledManifest(given);
          const before = pooledToxicity(segments, manifest, whole);
          const at = place % segments.length;
          const worse = segments.map((value, index) => (index === at ? Math.max(value, other) : value));
          // The order in which floating-point numbers are added may cost the last digits.
          expect(pooledToxicity(worse, manifest, whole)).toBeGreaterThanOrEqual(before - 1e-12);
          if (whole === undefined) return;
          expect(pooledToxicity(segments, manifest, Math.max(whole, other))).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });

  it('does not depend on the order of the segments', () => {
    const manifest = pooledManifest({ bias: -3, highest: 1, second: 0.5, rest: 0.5, count: 0.5 });
    const before = pooledToxicity(toxicities, manifest);
    expect(pooledToxicity([...toxicities].reverse(), manifest)).toBeCloseTo(before, 12);
  });
});

describe('the sentiment of a text', () => {
  it('is the mean of its segments, weighed by tokens', () => {
    const { sentiments } = createPooling(ofFormat1)({ predictions: [segment(0, 1, 30), segment(0, 0, 10)] });
    expect(sentiments.get('positive')).toBeCloseTo(0.75, 12);
    expect(sentiments.get('neutral')).toBeCloseTo(0.25, 12);
  });

  it('is that of the whole where the whole was read', () => {
    const { sentiments } = createPooling(ofFormat1)({
      predictions: [segment(0, 1), segment(0, 1)],
      whole: segment(0, 0.3),
    });
    expect(sentiments.get('positive')).toBe(0.3);
  });

  it('is there even for a text without tokens', () => {
    expect(createPooling(ofFormat1)({ predictions: [segment(0, 0.5, 0)] }).sentiments.get('positive')).toBe(0.5);
  });
});

describe('the language of a text', () => {
  const manifest = languagesManifest();
  const inLanguages = (languages: Record<string, number>, tokens = 10, toxicity = 0.5): Prediction => ({
    ...segmentOf({ labels: { toxicity }, languages }, manifest),
    tokens,
  });

  it('is the likeliest by the mean of its segments, weighed by tokens', () => {
    const segments = [inLanguages({ en: 1 }, 30), inLanguages({ en: 0.2, ru: 0.8 }, 50)];
    const { language } = createPooling(manifest)({ predictions: segments });
    expect(language?.tag).toBe('en');
    expect(language?.probability).toBeCloseTo(0.5, 12);
    expect(createPooling(manifest)({ predictions: segments.slice(1) }).language).toEqual({
      tag: 'ru',
      probability: 0.8,
    });
  });

  it('is that of the whole where the whole was read', () => {
    const segments = [inLanguages({ en: 1 }), inLanguages({ en: 1 })];
    const { language } = createPooling(manifest)({ predictions: segments, whole: inLanguages({ zh: 0.75 }) });
    expect(language).toEqual({ tag: 'zh', probability: 0.75 });
  });

  it('is "other" where none of the model is as likely', () => {
    expect(createPooling(manifest)({ predictions: [inLanguages({ en: 0.25 })] }).language).toEqual({
      tag: 'other',
      probability: 0.75,
    });
  });

  it('is not told by a model of one', () => {
    expect(createPooling(ofFormat1)({ predictions: [segment(0.5)] })).not.toHaveProperty('language');
  });

  describe('with shifts', () => {
    const languageShifts = { toxicity: { ru: 1, zh: -2 } };
    const shifted = languagesManifest({ calibration: { ...manifest.calibration, languageShifts } });
    const toxicityIn = (languages: Record<string, number>, toxicity = 0.5): number =>
      createPooling(shifted)({ predictions: [inLanguages(languages, 10, toxicity)] }).labels.get('toxicity') ?? NaN;

    it.each([
      ['all of the shift of a language that is certain', { ru: 1 }, 1],
      ['as much of it as the language is likely', { en: 0.75, ru: 0.25 }, 0.25],
      ['the mean of the shifts of two', { ru: 0.5, zh: 0.5 }, -0.5],
      ['nothing of a language without a shift', { en: 1 }, 0],
      ['nothing of other languages', {}, 0],
    ])('gives the log-odds of a label %s', (_what, languages, expected) => {
      expect(logit(toxicityIn(languages))).toBeCloseTo(expected, 9);
    });

    it('changes no other label', () => {
      const judged = { predictions: [inLanguages({ zh: 1 })] };
      const [before, after] = [createPooling(manifest)(judged).labels, createPooling(shifted)(judged).labels];
      for (const label of shifted.labels.slice(1)) expect(after.get(label)).toBe(before.get(label));
    });

    it('never makes a text safer for a segment that is worse', () => {
      const probability = fc.double({ min: 0, max: 1, noNaN: true });
      fc.assert(
        fc.property(probability, probability, probability, (one, other, ru) => {
          const languages = { ru, zh: (1 - ru) / 2 };
          expect(toxicityIn(languages, Math.max(one, other))).toBeGreaterThanOrEqual(
            toxicityIn(languages, Math.min(one, other)),
          );
        }),
      );
    });
  });
});

describe('the share of a text that was not read', () => {
  const read = (tokens: number, unreadTokens: number): Prediction => ({ ...segment(0, 0, tokens), unreadTokens });

  it('is that of the tokens of all segments', () => {
    expect(createPooling(ofFormat1)({ predictions: [read(30, 10), read(10, 10)] }).unread).toBe(0.5);
    expect(createPooling(ofFormat1)({ predictions: [read(0, 0)] }).unread).toBe(0);
  });
});
