/** Promises of the closer look at long texts: at which windows, at what in them, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import type { WindowProbabilities } from '../../../src/inference/classifier.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { planCloserLook } from '../../../src/moderation/closer-look.js';
import { combineWindows } from '../../../src/moderation/probabilities.js';
import { createFakeClassifier, windowOf, type FakeJudgement } from '../../support/fake-classifier.js';
import { testManifest } from '../../support/manifest.js';

const manifest = testManifest();
const SENTENCES = ['One is fine. ', 'Two is fine. ', 'Three is bad. ', 'Four is fine. '];
const TEXT = SENTENCES.join('');

/** A window for each sentence of TEXT, with these probabilities of toxicity. */
function windowsOf(...toxicities: number[]): WindowProbabilities[] {
  let start = 0;
  return toxicities.map((toxicity, index) => {
    const length = SENTENCES[index]?.length ?? 0;
    const window = { ...windowOf({ labels: { toxicity } }, manifest), start, end: start + length };
    start += length;
    return window;
  });
}

describe('a closer look', () => {
  it('is not taken at a text of one window', () => {
    expect(planCloserLook('Bad.', windowsOf(0.9), manifest)).toBeUndefined();
  });

  it('is not taken where no label comes near its threshold', () => {
    expect(planCloserLook(TEXT, windowsOf(0.02, 0.1, 0.02, 0.01), manifest)).toBeUndefined();
  });

  it('is taken at the two most suspicious windows, sentence by sentence', () => {
    const look = planCloserLook(TEXT, windowsOf(0.1, 0.2, 0.9, 0.3), manifest);
    expect(look?.sentences).toEqual(['Three is bad.', 'Four is fine.']);
    const two = windowsOf(0.9, 0.2).map((window, index) => ({ ...window, start: 0, end: index === 0 ? 25 : 12 }));
    expect(planCloserLook(TEXT, two, manifest)?.sentences).toEqual(['One is fine.', 'Two is fine.', 'One is fine.']);
  });

  it('bounds what a window of tiny sentences costs', () => {
    const text = 'a. '.repeat(100);
    const windows = windowsOf(0.9, 0.2).map((window) => ({ ...window, start: 0, end: text.length }));
    expect(planCloserLook(text, windows, manifest)?.sentences.length).toBeLessThanOrEqual(32);
  });

  it('keeps for each window what its own sentences were judged to be', () => {
    const look = planCloserLook(TEXT, windowsOf(0.2, 0.01, 0.9), manifest);
    expect(look?.sentences).toEqual(['Three is bad.', 'One is fine.']);
    const seen = look?.seen([windowsOf(0.95, 0.97), windowsOf(0.04)]) ?? [];
    const toxicity = manifest.labels.indexOf('toxicity');
    expect(seen.map((window) => window.sentences?.map((sentence) => sentence[toxicity]))).toEqual([
      [0.04],
      undefined,
      [0.97],
    ]);
  });
});

describe('a label of a long text', () => {
  const odds = (probability: number): number => Math.log(probability / (1 - probability));
  const toxicityOf = (windows: Parameters<typeof combineWindows>[0]): number =>
    combineWindows(windows, manifest).labels.get('toxicity') ?? 0;
  const sentence = (toxicity: number): number[] => [...windowOf({ labels: { toxicity } }, manifest).labels];

  it('is the mean in log-odds of its strongest window and of the strongest sentence there, corrected for length', () => {
    const [first, second] = windowsOf(0.3, 0.1);
    if (first === undefined || second === undefined) throw new Error('two windows');
    const closely = { ...first, sentences: [sentence(0.1), sentence(0.9)] };
    expect(odds(toxicityOf([closely, second]))).toBeCloseTo((odds(0.3) + odds(0.9)) / 2 - 0.5 * Math.log(2), 9);
  });

  it('is that of its strongest window alone where another one was looked at', () => {
    const [first, second] = windowsOf(0.3, 0.1);
    if (first === undefined || second === undefined) throw new Error('two windows');
    const elsewhere = { ...second, sentences: [sentence(0.9)] };
    expect(odds(toxicityOf([first, elsewhere]))).toBeCloseTo(odds(0.3) - 0.5 * Math.log(2), 9);
  });

  it('can be certain', () => {
    const [first, second] = windowsOf(1, 0);
    if (first === undefined || second === undefined) throw new Error('two windows');
    expect(toxicityOf([{ ...first, sentences: [sentence(1)] }, second])).toBeGreaterThan(0.99);
    expect(toxicityOf([{ ...first, sentences: [sentence(0)] }, second])).toBeGreaterThan(0);
  });
});

describe('the analyzer', () => {
  it('finds an insult that its window dilutes, in one more call to the model', async () => {
    const judge = (text: string): FakeJudgement => ({
      labels: { toxicity: text === 'Three is bad.' ? 0.98 : text.includes('bad') ? 0.3 : 0.01 },
    });
    const fake = createFakeClassifier(judge, manifest);
    const classifier: typeof fake = {
      ...fake,
      async classify(texts, options) {
        const judged = await fake.classify(texts, options);
        if (texts[0] !== TEXT) return judged;
        const windows = windowsOf(0.01, 0.01, 0.3, 0.01);
        return { ...judged, texts: [windows] };
      },
    };
    const analyzer = createAnalyzer({
      classifier,
      policy: { passMaxScore: 3, blockCategories: [] },
      cacheMaxEntries: 0,
    });
    const { verdict, windows, timings } = await analyzer.analyze(TEXT);
    expect(fake.calls).toEqual([[TEXT], ['Three is bad.']]);
    expect(verdict.passed).toBe(false);
    expect(windows).toBe(4);
    expect(timings).toEqual({ queueMs: 2, tokenizeMs: 4, inferMs: 6 });
  });
});
