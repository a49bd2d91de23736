/** Promises of spans: what was detected is pointed at where it is strong enough alone, and somewhere in any case. */
import { describe, expect, it } from 'vitest';
import type { Prediction } from '../../../src/inference/classifier.js';
import type { Label } from '../../../src/labels.js';
import { inSegments, locate, type Detected } from '../../../src/moderation/spans.js';
import { segmentOf } from '../../support/models/fake-classifier.js';
import { testManifest } from '../../support/models/manifest.js';

const manifest = testManifest();
const PLACES = [
  { start: 0, end: 4 },
  { start: 5, end: 9 },
  { start: 10, end: 16 },
];

function judged(...labels: Partial<Record<Label, number>>[]): Prediction[] {
  return labels.map((each, index) => ({ ...segmentOf({ labels: each }, manifest), ...PLACES[index] }));
}

const detected = (labels: readonly Label[]): Detected => ({
  labels,
  thresholdOf: (label) => manifest.calibration.thresholds[label],
});

describe('spans', () => {
  it('are all the segments that reach the threshold alone, in the order of the text', () => {
    expect(locate(detected(['insult']), judged({ insult: 0.5 }, { insult: 0.49 }, { insult: 0.9 }), manifest)).toEqual([
      { start: 0, end: 4, label: 'insult', probability: 0.5 },
      { start: 10, end: 16, label: 'insult', probability: 0.9 },
    ]);
  });

  it('are the first of the strongest segments where none reaches the threshold', () => {
    expect(locate(detected(['insult']), judged({ insult: 0.1 }, { insult: 0.3 }, { insult: 0.3 }), manifest)).toEqual([
      { start: 5, end: 9, label: 'insult', probability: 0.3 },
    ]);
  });

  it('of one segment begin with the strongest label, whatever the order of detection', () => {
    const segments = judged({}, { insult: 0.6, threat: 0.9, spam: 0.8 }, {});
    const found = locate(detected(['insult', 'threat', 'spam']), segments, manifest);
    expect(found.map(({ label }) => label)).toEqual(['threat', 'spam', 'insult']);
  });

  it('of several labels are in the order of the text first', () => {
    const found = locate(detected(['insult', 'threat']), judged({}, { insult: 0.9 }, { threat: 0.6 }), manifest);
    expect(found.map(({ label }) => label)).toEqual(['insult', 'threat']);
    const reversed = locate(detected(['threat', 'insult']), judged({}, { insult: 0.6 }, { threat: 0.9 }), manifest);
    expect(reversed.map(({ label }) => label)).toEqual(['insult', 'threat']);
  });

  it('of nothing detected are none', () => {
    expect(locate(detected([]), judged({ insult: 0.9 }), manifest)).toEqual([]);
  });
});

describe('what the segments say of a label', () => {
  it('is one probability each, at their places in the text', () => {
    expect(inSegments(judged({ insult: 0.1 }, { insult: 0.6, threat: 0.9 }), 'insult', manifest)).toEqual([
      { start: 0, end: 4, probability: 0.1 },
      { start: 5, end: 9, probability: 0.6 },
    ]);
  });

  it('is none of it where the model does not know the label', () => {
    const small = testManifest({ labels: ['toxicity'] });
    const segments = [segmentOf({ labels: { toxicity: 0.9 } }, small, 'text')];
    expect(inSegments(segments, 'insult', small)).toEqual([{ start: 0, end: 4, probability: 0 }]);
  });
});
