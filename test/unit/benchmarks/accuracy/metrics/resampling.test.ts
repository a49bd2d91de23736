/** Promises of the intervals: as wide as theory says, the same in every run, and done in bounded time. */
import { describe, expect, it } from 'vitest';
import { calibrationOf, type Calibration } from '../../../../../benchmarks/accuracy/metrics/calibration.js';
import { estimate, quantile, resample } from '../../../../../benchmarks/accuracy/metrics/resampling.js';
import { rowsOf } from '../scored-rows-of.js';

/** The share of the first rows among all. */
const shareOf = (first: number) => (weights: Uint8Array) => {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.subarray(0, first).reduce((sum, weight) => sum + weight, 0) / all;
};

describe('resampling', () => {
  it('lets rows count as often as Poisson with mean 1 says', () => {
    const counts = new Map<number, number>();
    resample(1000, { samples: 1000, seed: 3 }, (weights) => {
      for (const weight of weights) counts.set(weight, (counts.get(weight) ?? 0) + 1);
    });
    let chance = Math.exp(-1);
    for (let count = 0; count < 7; count += 1) {
      // The first set has every row once. Five standard deviations of a count of a million.
      const found = (counts.get(count) ?? 0) - (count === 1 ? 1000 : 0);
      expect(Math.abs(found - 1e6 * chance)).toBeLessThan(5 * Math.sqrt(1e6 * chance) + 1);
      chance /= count + 1;
    }
  });

  it('gives a share the interval that theory gives it', () => {
    const { value, interval } =
      estimate(resample(1000, { samples: 2000, seed: 1 }, shareOf(300)), (share) => share) ?? {};
    const half = 1.96 * Math.sqrt((0.3 * 0.7) / 1000);
    expect(value).toBe(0.3);
    expect(interval?.[0]).toBeCloseTo(0.3 - half, 2);
    expect(interval?.[1]).toBeCloseTo(0.3 + half, 2);
  });
});

describe('an interval', () => {
  it('of the calibration error holds the figure, which resampling alone moves upwards', () => {
    // As many positives in every bin as the probabilities promise.
    const probabilities = Array.from({ length: 1000 }, (_, row) => row / 1000);
    let promised = 0;
    const positives = probabilities.map((probability) => {
      promised += probability;
      return Math.floor(promised) > Math.floor(promised - probability) ? 1 : 0;
    });
    const rows = rowsOf(probabilities, positives);
    const drawn = resample(1000, { samples: 500, seed: 1 }, (weights) => calibrationOf(rows, weights));
    const errorOf = (figures: Calibration) => figures.expectedCalibrationError;
    const { value, interval } = estimate(drawn, errorOf) ?? {};
    expect(interval?.[0]).toBeGreaterThan(value ?? NaN);
    const recentred = estimate(drawn, errorOf, { recentred: true })?.interval;
    expect(recentred?.[0]).toBeLessThanOrEqual(value ?? NaN);
    expect(recentred?.[1]).toBeGreaterThan(value ?? NaN);
  });
});

// numpy.quantile([1, 2, 4, 8], [0, 0.025, 0.5, 1])
it('quantiles are NumPy’s', () => {
  const sorted = Float64Array.of(1, 2, 4, 8);
  expect([0, 0.025, 0.5, 1].map((share) => quantile(sorted, share))).toEqual([1, 1.075, 3, 8]);
});
