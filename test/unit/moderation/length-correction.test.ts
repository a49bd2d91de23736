import { describe, expect, it } from 'vitest';
import type { Calibration } from '../../../src/inference/manifest.js';
import type { Label } from '../../../src/labels.js';
import { lengthCorrection } from '../../../src/moderation/length-correction.js';
import { testManifest } from '../../support/manifest.js';

const THRESHOLD = 0.4;
const { calibration } = testManifest();
const calibrated: Calibration = {
  ...calibration,
  thresholds: { ...calibration.thresholds, toxicity: THRESHOLD, severe_toxicity: THRESHOLD / 2, spam: 1 },
  lengthCorrection: { toxicity: 0.9 },
  standOut: { toxicity: 3, severe_toxicity: 2, spam: 2 },
};

/** Of a text whose first window is the strongest. */
function correctionOf(strongest: number, others: readonly number[], calibrationUsed = calibrated): number {
  return lengthCorrection(of('toxicity', [strongest, ...others]), 0, 'toxicity', calibrationUsed);
}

function of(label: Label, windows: readonly number[]): ReadonlyMap<Label, readonly number[]> {
  return new Map([[label, windows]]);
}

function others(count: number, probability: number): number[] {
  return Array.from({ length: count }, () => probability);
}

describe('the correction for length', () => {
  it('leaves a text of one window as it is', () => {
    expect(correctionOf(0.9, [])).toBe(0);
  });

  it('grows with the number of windows alone where a text has few', () => {
    expect(correctionOf(0.9, [0.3, 0.3])).toBeCloseTo(0.9 * Math.log(3), 12);
    expect(correctionOf(0.9, [0, 1])).toBeCloseTo(0.9 * Math.log(3), 12);
  });

  it('of a long text is what the strongest has to stand out by where one other window is at the threshold', () => {
    expect(correctionOf(0.9, [...others(10, 0), THRESHOLD])).toBeCloseTo(3, 12);
  });

  it.each([
    [THRESHOLD, 1],
    [THRESHOLD / 4, 0.25],
    [THRESHOLD / 2, 0.5],
    [0.7, 0.5],
  ])('of a long text takes ten windows of probability %f for a doubt of %f each', (probability, doubt) => {
    // Of eleven others one is a neighbour of the strongest.
    const roughness = Math.sqrt(10 * doubt ** 2);
    expect(correctionOf(0.9, others(11, probability))).toBeCloseTo(3 + 0.75 * Math.log(roughness), 12);
  });

  it('is none where no other window is in doubt, be they harmless or harmful', () => {
    expect(correctionOf(0.9, others(11, 0))).toBe(0);
    expect(correctionOf(1, others(11, 1))).toBe(0);
  });

  it('goes by the number of windows alone in a text of eleven', () => {
    expect(correctionOf(0.9, others(10, 0))).toBeCloseTo(0.9 * Math.log(11), 12);
    expect(correctionOf(0.9, others(10, THRESHOLD))).toBeCloseTo(0.9 * Math.log(11), 12);
  });

  it('does not count the strongest window and its neighbours, wherever they stand', () => {
    const inTheMiddle = [...others(6, 0), THRESHOLD, 0.9, THRESHOLD, 0, 0, THRESHOLD];
    expect(lengthCorrection(of('toxicity', inTheMiddle), 7, 'toxicity', calibrated)).toBeCloseTo(3, 12);
    const atTheEnd = [THRESHOLD, ...others(9, 0), THRESHOLD, 0.9];
    expect(lengthCorrection(of('toxicity', atTheEnd), 11, 'toxicity', calibrated)).toBeCloseTo(3, 12);
  });

  it('can be taken of a label that needs certainty', () => {
    expect(lengthCorrection(of('spam', [1, ...others(11, 1)]), 0, 'spam', calibrated)).toBe(0);
  });

  it('is never negative but for severe toxicity', () => {
    expect(correctionOf(0.9, others(11, 1e-9))).toBe(0);
    expect(lengthCorrection(of('insult', [0.9, ...others(11, 0.01)]), 0, 'insult', calibrated)).toBe(0);
    expect(lengthCorrection(of('insult', [0.9, 0.3]), 0, 'insult', calibrated)).toBe(0);
  });

  describe('of severe toxicity', () => {
    function ofSevere(severe: readonly number[], toxic: readonly number[], calibrationUsed = calibrated): number {
      const windows = new Map<Label, readonly number[]>([
        ['toxicity', toxic],
        ['severe_toxicity', severe],
      ]);
      return lengthCorrection(windows, severe.indexOf(Math.max(...severe)), 'severe_toxicity', calibrationUsed);
    }

    it('goes by how toxic the other windows are, not by how severely', () => {
      const severe = [0.9, ...others(11, THRESHOLD / 2)];
      expect(ofSevere(severe, [0.9, ...others(10, 0), THRESHOLD])).toBeCloseTo(2, 12);
      expect(ofSevere(severe, [0.9, ...others(10, 0), THRESHOLD / 2])).toBeCloseTo(2 - 1.25 * Math.log(2), 12);
    });

    it('leaves out what is near the severest window, wherever the most toxic one is', () => {
      const toxic = [THRESHOLD, ...others(9, 0), 0.3, 0.3];
      expect(ofSevere([...others(11, 0), 0.9], toxic)).toBeCloseTo(2, 12);
    });

    it('raises it in a calm text, to a limit', () => {
      expect(ofSevere([0.9, ...others(11, 0)], [0.9, ...others(10, 0), THRESHOLD / 6])).toBeCloseTo(
        2 - 1.25 * Math.log(6),
        12,
      );
      expect(ofSevere([0.9, ...others(11, 0)], [0.9, ...others(10, 0), THRESHOLD / 10])).toBe(-0.5);
      expect(ofSevere([0.9, ...others(11, 0)], others(12, 0))).toBe(-0.5);
    });

    it('may lie below its threshold where the model says so', () => {
      const lenient = { ...calibrated, standOut: { severe_toxicity: -0.25 } };
      const severe = [0.9, ...others(11, 0)];
      expect(ofSevere(severe, [0.9, ...others(10, 0), THRESHOLD], lenient)).toBeCloseTo(-0.25, 12);
      expect(ofSevere(severe, others(12, 0), lenient)).toBe(-0.5);
    });
  });

  it('of a model that says nothing of long texts goes on as for shorter ones', () => {
    const older = { ...calibrated, standOut: undefined };
    expect(correctionOf(0.9, others(11, THRESHOLD), older)).toBeCloseTo(0.9 * Math.log(12), 12);
  });
});
