/** Whether a probability means what it says: among texts given 0.7, are seven in ten positive? Pure. */
import { ratio } from './decision.js';
import type { ScoredRows, Weights } from './scored-rows.js';

export interface Calibration {
  /** Mean squared distance between probability and truth: 0 is perfect. Equals scikit-learn's brier_score_loss. */
  readonly brierScore: number | null;
  /**
   * Distance between mean probability and share of positives in each bin, weighted by how many rows fall into it:
   * Guo et al. 2017, "On Calibration of Modern Neural Networks", section 2.
   */
  readonly expectedCalibrationError: number | null;
}

export interface CalibrationBin {
  /** The bin holds probabilities above `from` up to and with `to`; the first one holds 0 too. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly positives: number;
  /** `null` where the bin is empty. */
  readonly meanProbability: number | null;
}

/** By custom; see Guo et al. */
const BINS = 15;

interface BinSums {
  readonly rows: Float64Array;
  readonly positives: Float64Array;
  readonly probabilities: Float64Array;
  readonly squaredErrors: number;
}

export function calibrationOf(rows: ScoredRows, weights: Weights, bins = BINS): Calibration {
  const sums = binSums(rows, weights, bins);
  let all = 0;
  let distance = 0;
  sums.rows.forEach((count, bin) => {
    all += count;
    // |mean probability − share of positives| × rows of the bin is the distance between the sums.
    distance += Math.abs((sums.probabilities[bin] ?? 0) - (sums.positives[bin] ?? 0));
  });
  return { brierScore: ratio(sums.squaredErrors, all), expectedCalibrationError: ratio(distance, all) };
}

export function calibrationBins(rows: ScoredRows, weights: Weights, bins = BINS): CalibrationBin[] {
  const sums = binSums(rows, weights, bins);
  return Array.from(sums.rows, (count, bin) => ({
    from: bin / bins,
    to: (bin + 1) / bins,
    rows: count,
    positives: sums.positives[bin] ?? 0,
    meanProbability: ratio(sums.probabilities[bin] ?? 0, count),
  }));
}

/** @throws RangeError for what is no probability */
function binSums({ probabilities, positives }: ScoredRows, weights: Weights, bins: number): BinSums {
  const rows = new Float64Array(bins);
  const positiveRows = new Float64Array(bins);
  const sums = new Float64Array(bins);
  let squaredErrors = 0;
  for (let index = 0; index < probabilities.length; index += 1) {
    const probability = probabilities[index] ?? NaN;
    const bin = Math.max(0, Math.ceil(probability * bins) - 1);
    if (!(probability >= 0 && bin < bins)) throw new RangeError(`${probability} is not a probability`);
    const weight = weights[index] ?? 0;
    if (weight === 0) continue;
    const positive = positives[index] ?? 0;
    rows[bin] = (rows[bin] ?? 0) + weight;
    positiveRows[bin] = (positiveRows[bin] ?? 0) + weight * positive;
    sums[bin] = (sums[bin] ?? 0) + weight * probability;
    squaredErrors += weight * (probability - positive) ** 2;
  }
  return { rows, positives: positiveRows, probabilities: sums, squaredErrors };
}
