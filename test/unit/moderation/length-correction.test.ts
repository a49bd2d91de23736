import { describe, expect, it } from 'vitest';
import type { Calibration } from '../../../src/inference/manifest.js';
import { lengthCorrection } from '../../../src/moderation/length-correction.js';
import { testManifest } from '../../support/manifest.js';

const THRESHOLD = 0.4;
const { calibration } = testManifest();
const calibrated: Calibration = {
  ...calibration,
  thresholds: { ...calibration.thresholds, toxicity: THRESHOLD, spam: 1 },
  lengthCorrection: { toxicity: 0.9 },
  longTextCorrection: { toxicity: 0.7, spam: 1 },
};

/** Of a text whose first window is the strongest. */
function correctionOf(strongest: number, others: readonly number[], calibrationUsed = calibrated): number {
  return lengthCorrection([strongest, ...others], 0, 'toxicity', calibrationUsed);
}

function sevenOthers(probability: number): number[] {
  return Array.from({ length: 7 }, () => probability);
}

describe('the correction for length', () => {
  it('leaves a text of one window as it is', () => {
    expect(correctionOf(0.9, [])).toBe(0);
  });

  it('grows with the number of windows alone where a text has few', () => {
    expect(correctionOf(0.9, [0.3, 0.3])).toBeCloseTo(0.9 * Math.log(3), 12);
    expect(correctionOf(0.9, [0, 1])).toBeCloseTo(0.9 * Math.log(3), 12);
  });

  it('of a long text is the least where no other window is in doubt, be they harmless or harmful', () => {
    expect(correctionOf(0.9, sevenOthers(0))).toBeCloseTo(0.7 * Math.log(8), 12);
    expect(correctionOf(1, sevenOthers(1))).toBeCloseTo(0.7 * Math.log(8), 12);
  });

  it('of a long text counts every other window that stands at the threshold', () => {
    expect(correctionOf(0.9, sevenOthers(THRESHOLD))).toBeCloseTo(0.7 * 2 * Math.log(8), 12);
  });

  it.each([
    [THRESHOLD / 4, 0.25],
    [THRESHOLD / 2, 0.5],
    [0.7, 0.5],
  ])('counts seven windows of probability %f as %f each', (probability, weight) => {
    expect(correctionOf(0.9, sevenOthers(probability))).toBeCloseTo(0.7 * (Math.log(8) + Math.log(1 + 7 * weight)), 12);
  });

  it('does not count the strongest window itself, wherever it stands', () => {
    const windows = [...sevenOthers(0), THRESHOLD];
    expect(lengthCorrection(windows, 7, 'toxicity', calibrated)).toBeCloseTo(0.7 * Math.log(8), 12);
  });

  it('can be taken of a label that needs certainty', () => {
    expect(lengthCorrection([1, ...sevenOthers(1)], 0, 'spam', calibrated)).toBeCloseTo(Math.log(8), 12);
  });

  it('is none for a label without a factor', () => {
    expect(lengthCorrection([0.9, ...sevenOthers(0.3)], 0, 'insult', calibrated)).toBe(0);
    expect(lengthCorrection([0.9, 0.3], 0, 'insult', calibrated)).toBe(0);
  });

  it('of a model without factors for long texts goes on as for shorter ones', () => {
    const older = { ...calibrated, longTextCorrection: undefined };
    expect(correctionOf(0.9, sevenOthers(THRESHOLD), older)).toBeCloseTo(0.9 * Math.log(8), 12);
  });
});
