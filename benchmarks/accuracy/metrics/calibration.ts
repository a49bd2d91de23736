/** Whether a probability means what it says: among texts given 0.7, are seven in ten positive? Pure. */
import { ratio } from './decision.js';
import type { Example } from './ranking.js';

/** Mean squared distance between probability and truth: 0 is perfect. Equals scikit-learn's brier_score_loss. */
export function brierScore(examples: readonly Example[]): number | null {
  const sum = examples.reduce((total, { probability, positive }) => total + (probability - (positive ? 1 : 0)) ** 2, 0);
  return ratio(sum, examples.length);
}

/**
 * Distance between mean probability and share of positives in each of equally wide bins, weighted by how many examples fall into it.
 * Bins hold their upper end, with 15 of them by custom: Guo et al. 2017, "On Calibration of Modern Neural Networks", section 2.
 */
export function expectedCalibrationError(examples: readonly Example[], bins = 15): number | null {
  const sums = Array.from({ length: bins }, () => ({ probability: 0, positives: 0 }));
  for (const { probability, positive } of examples) {
    const sum = sums[Math.max(0, Math.ceil(probability * bins) - 1)];
    if (sum === undefined) throw new RangeError(`${probability} is not a probability`);
    sum.probability += probability;
    if (positive) sum.positives += 1;
  }
  // |mean probability − share of positives| × examples of the bin is the distance between the sums.
  const distance = sums.reduce((total, sum) => total + Math.abs(sum.probability - sum.positives), 0);
  return ratio(distance, examples.length);
}
