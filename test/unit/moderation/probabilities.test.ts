import { describe, expect, it } from 'vitest';
import type { WindowProbabilities } from '../../../src/inference/classifier.js';
import { combineWindows, worstView } from '../../../src/moderation/probabilities.js';
import { windowOf } from '../../support/fake-classifier.js';
import { testManifest } from '../../support/manifest.js';

const manifest = testManifest();

function window(toxicity: number, insult: number, positive: number, tokens: number): WindowProbabilities {
  const judged = { labels: { toxicity, insult }, sentiments: { positive, neutral: 1 - positive } };
  return { ...windowOf(judged, manifest), tokens };
}

describe('windows of one text', () => {
  it('leave a single window as the model gave it', () => {
    const { labels, sentiments } = combineWindows([window(0.7, 0.2, 0.25, 10)], manifest);
    expect(labels.get('toxicity')).toBe(0.7);
    expect(labels.get('insult')).toBe(0.2);
    expect(sentiments.get('positive')).toBe(0.25);
  });

  it('give every label its strongest window, wherever that stands', () => {
    const { labels } = combineWindows([window(0.1, 0.9, 0, 10), window(0.2, 0.1, 0, 10)], manifest);
    expect(labels.get('insult')).toBe(0.9); // no length correction for insult in the test manifest
  });

  it('lower a label for the number of windows by c ln n in logits', () => {
    const windows = Array.from({ length: 8 }, () => window(0.8, 0, 0, 10));
    const expected = Math.log(0.8 / 0.2) - 0.5 * Math.log(8);
    expect(combineWindows(windows, manifest).labels.get('toxicity')).toBeCloseTo(1 / (1 + Math.exp(-expected)), 12);
  });

  it('keep probabilities of exactly 0 and 1', () => {
    const windows = [window(1, 0, 0, 5), window(0, 0, 0, 5)];
    expect(combineWindows(windows, manifest).labels.get('toxicity')).toBe(1);
    expect(combineWindows([window(0, 0, 0, 5), window(0, 0, 0, 5)], manifest).labels.get('toxicity')).toBe(0);
  });

  it('weigh sentiment by tokens', () => {
    const { sentiments } = combineWindows([window(0, 0, 1, 30), window(0, 0, 0, 10)], manifest);
    expect(sentiments.get('positive')).toBeCloseTo(0.75, 12);
    expect(sentiments.get('neutral')).toBeCloseTo(0.25, 12);
  });

  it('give a sentiment even to a text without tokens', () => {
    expect(combineWindows([window(0, 0, 0.5, 0)], manifest).sentiments.get('positive')).toBe(0.5);
  });
});

describe('views of one text', () => {
  it('give every label its worst view, and the sentiment of the more toxic one', () => {
    const plain = combineWindows([window(0.1, 0.6, 0.9, 10)], manifest);
    const unmasked = combineWindows([window(0.8, 0.3, 0.2, 10)], manifest);
    const worst = worstView([plain, unmasked]);
    expect(worst.labels.get('toxicity')).toBe(0.8);
    expect(worst.labels.get('insult')).toBe(0.6);
    expect(worst.sentiments).toBe(unmasked.sentiments);
  });
});
