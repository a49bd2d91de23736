import { describe, expect, it } from 'vitest';
import type { WindowProbabilities } from '../../../src/inference/classifier.js';
import { combineViews, combineWindows, type TextProbabilities } from '../../../src/moderation/probabilities.js';
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

describe('the share of a text that was not read', () => {
  const read = (tokens: number, unreadTokens: number): WindowProbabilities => ({
    ...window(0, 0, 0, tokens),
    unreadTokens,
  });

  it('is that of the tokens of all windows', () => {
    expect(combineWindows([read(30, 10), read(10, 10)], manifest).unread).toBe(0.5);
    expect(combineWindows([read(0, 0)], manifest).unread).toBe(0);
  });

  it('is that of the copy where a text is disguised', () => {
    const [asSent, copy] = [read(10, 10), read(10, 1)].map((judged) => combineWindows([judged], manifest));
    if (asSent === undefined) throw new Error('two views');
    expect(combineViews(asSent, copy).unread).toBe(0.1);
  });
});

describe('views of one text', () => {
  const view = (toxicity: number, positive: number): TextProbabilities =>
    combineWindows([window(toxicity, 0, positive, 10)], manifest);
  const logOdds = (probability: number): number => Math.log(probability / (1 - probability));

  it('are the text as sent where it has no copy', () => {
    const asSent = view(0.7, 0.2);
    expect(combineViews(asSent)).toBe(asSent);
  });

  it.each([
    [0.1, 0.8],
    [0.8, 0.8],
    [0.85, 0.8],
  ])('with %f as sent and %f in the copy, are as bad as the copy', (asSent, copy) => {
    expect(combineViews(view(asSent, 0), view(copy, 0)).labels.get('toxicity')).toBe(copy);
  });

  it('that are far worse as sent than in the copy count as sent, less 1.5 in log-odds', () => {
    const toxicity = combineViews(view(0.99, 0), view(0.01, 0)).labels.get('toxicity') ?? 0;
    expect(logOdds(toxicity)).toBeCloseTo(logOdds(0.99) - 1.5, 9);
  });

  it('keep what is certain', () => {
    expect(combineViews(view(1, 0), view(0, 0)).labels.get('toxicity')).toBe(1);
    expect(combineViews(view(0, 0), view(0, 0)).labels.get('toxicity')).toBe(0);
  });

  it('have the sentiment of the copy', () => {
    const copy = view(0.1, 0.9);
    expect(combineViews(view(0.9, 0.1), copy).sentiments).toBe(copy.sentiments);
  });
});
