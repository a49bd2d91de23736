/** Promises of spans: what was detected is pointed at where it is strong enough alone, and somewhere in any case. */
import { describe, expect, it } from 'vitest';
import type { Label } from '../../../src/labels.js';
import type { TextProbabilities } from '../../../src/moderation/probabilities.js';
import { judgePassages, locate } from '../../../src/moderation/spans.js';
import { windowOf } from '../../support/fake-classifier.js';
import { testManifest } from '../../support/manifest.js';

const manifest = testManifest();
const PASSAGES = [
  { text: 'One.', start: 0, end: 4 },
  { text: 'Two.', start: 5, end: 9 },
  { text: 'Three.', start: 10, end: 16 },
];

function judged(...labels: Partial<Record<Label, number>>[]): TextProbabilities[] {
  return labels.map((each) => ({
    labels: new Map(Object.entries(each) as [Label, number][]),
    sentiments: new Map(),
    unread: 0,
  }));
}

describe('spans', () => {
  it('are all the passages that reach the threshold alone, in the order of the text', () => {
    expect(locate(['insult'], PASSAGES, judged({ insult: 0.5 }, { insult: 0.49 }, { insult: 0.9 }), manifest)).toEqual([
      { start: 0, end: 4, label: 'insult', probability: 0.5 },
      { start: 10, end: 16, label: 'insult', probability: 0.9 },
    ]);
  });

  it('are the first of the strongest passages where none reaches the threshold', () => {
    expect(locate(['insult'], PASSAGES, judged({ insult: 0.1 }, { insult: 0.3 }, { insult: 0.3 }), manifest)).toEqual([
      { start: 5, end: 9, label: 'insult', probability: 0.3 },
    ]);
  });

  it('of one passage begin with the strongest label, whatever the order of detection', () => {
    const labels = judged({}, { insult: 0.6, threat: 0.9, spam: 0.8 }, {});
    const found = locate(['insult', 'threat', 'spam'], PASSAGES, labels, manifest);
    expect(found.map(({ label }) => label)).toEqual(['threat', 'spam', 'insult']);
  });

  it('of several labels are in the order of the text first', () => {
    const found = locate(['insult', 'threat'], PASSAGES, judged({}, { insult: 0.9 }, { threat: 0.6 }), manifest);
    expect(found.map(({ label }) => label)).toEqual(['insult', 'threat']);
    const reversed = locate(['threat', 'insult'], PASSAGES, judged({}, { insult: 0.6 }, { threat: 0.9 }), manifest);
    expect(reversed.map(({ label }) => label)).toEqual(['insult', 'threat']);
  });

  it('take a passage without a judgement for harmless', () => {
    expect(locate(['insult'], PASSAGES, judged({}, { insult: 0.2 }), manifest)).toEqual([
      { start: 5, end: 9, label: 'insult', probability: 0.2 },
    ]);
  });

  it('of nothing detected are none', () => {
    expect(locate([], PASSAGES, judged({ insult: 0.9 }), manifest)).toEqual([]);
  });
});

describe('the judgements of passages', () => {
  const windowsOf = (...insults: number[]) => insults.map((insult) => windowOf({ labels: { insult } }, manifest));

  it('belong each to its own passage, however many views those before had', () => {
    const texts = [windowsOf(0.1), windowsOf(0.6), windowsOf(0.2), windowsOf(0.3)];
    const insults = judgePassages(texts, [1, 2, 1], manifest).map(({ labels }) => labels.get('insult'));
    expect(insults).toHaveLength(3);
    expect(insults[0]).toBeCloseTo(0.1, 9);
    expect(insults[2]).toBeCloseTo(0.3, 9);
  });

  it('take the worse of two views', () => {
    const [passage] = judgePassages([windowsOf(0.1), windowsOf(0.9)], [2], manifest);
    expect(passage?.labels.get('insult')).toBeCloseTo(0.9, 9);
  });

  it('need a view of every passage', () => {
    expect(() => judgePassages([], [1], manifest)).toThrow('a passage without a view');
  });
});
