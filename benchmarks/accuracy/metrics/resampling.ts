/** How far figures would vary on other rows of the same kind: the bootstrap. Knows nothing of what the figures are. */
import { createRandomWords } from './random-words.js';
import type { Weights } from './scored-rows.js';

export interface ResamplingOptions {
  /** How many times; 0 for figures without intervals, `undefined` for as often as `affordableSamples` says. */
  readonly samples: number | undefined;
  readonly seed: number;
}

export interface Resampled<Values> {
  readonly actual: Values;
  /** The same figures of each resampled set of rows. */
  readonly samples: readonly Values[];
}

export interface Estimate {
  readonly value: number;
  /** Where 95 of 100 resampled figures lie; `null` without resampling, or where most of them are not defined. */
  readonly interval: [number, number] | null;
}

const MOST_SAMPLES = 1000;
const FEWEST_SAMPLES = 200;
/** Rows times samples: some seconds for each label column. */
const WORK = 1e8;

/** As many samples as bounded time allows: 1,000 up to 100,000 rows, 200 from 500,000 rows on. */
export function affordableSamples(rows: number): number {
  return Math.round(Math.min(MOST_SAMPLES, Math.max(FEWEST_SAMPLES, WORK / Math.max(1, rows))));
}

/**
 * Each row counts a random number of times, Poisson with mean 1: the bootstrap without a fixed number of rows, which needs no
 * sorting anew (Hanley and MacGibbon 2006, "Creating non-parametric bootstrap samples using Poisson frequencies").
 */
export function resample<Values>(
  rows: number,
  { samples = affordableSamples(rows), seed }: ResamplingOptions,
  valuesOf: (weights: Weights) => Values,
): Resampled<Values> {
  const weights = new Uint8Array(rows).fill(1);
  const actual = valuesOf(weights);
  const random = createRandomWords(seed);
  const resampled = Array.from({ length: samples }, () => {
    drawWeights(weights, random);
    return valuesOf(weights);
  });
  return { actual, samples: resampled };
}

/** For each number of 16 bits the count that it stands for: as many numbers for a count as its Poisson chance says. */
const POISSON = Uint8Array.from({ length: 2 ** 16 }, (_, number) => {
  const share = (number + 0.5) / 2 ** 16;
  let count = 0;
  let chance = Math.exp(-1);
  for (let passed = chance; passed < share; passed += chance) {
    count += 1;
    chance /= count;
  }
  return count;
});

function drawWeights(weights: Weights, random: () => number): void {
  for (let index = 0; index < weights.length; index += 2) {
    const word = random();
    weights[index] = POISSON[word & 0xffff] ?? 0;
    // Of an odd number of rows this writes beyond the last one, which does nothing.
    weights[index + 1] = POISSON[word >>> 16] ?? 0;
  }
}

/**
 * A figure with its interval. `recentred` is for figures that any noise makes larger, as it does the calibration error: their
 * resampled values lie above the figure itself, and are moved back by the difference of the means.
 */
export function estimate<Values>(
  { actual, samples }: Resampled<Values>,
  pick: (values: Values) => number | null,
  { recentred = false } = {},
): Estimate | null {
  const value = pick(actual);
  if (value === null) return null;
  const drawn = samples.map(pick).filter((each) => each !== null);
  if (drawn.length === 0 || drawn.length < samples.length / 2) return { value, interval: null };
  const sorted = Float64Array.from(drawn).sort();
  const bias = recentred ? sorted.reduce((sum, each) => sum + each, 0) / sorted.length - value : 0;
  return { value, interval: [Math.max(0, quantile(sorted, 0.025) - bias), quantile(sorted, 0.975) - bias] };
}

/** Linear between neighbours, as NumPy does by default. */
export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  return below + (place - Math.floor(place)) * (above - below);
}
