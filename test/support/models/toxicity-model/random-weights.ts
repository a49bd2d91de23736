/** Numbers that look random and are the same in every run. */
import { createRandom } from '../../../../benchmarks/robustness/random.js';

export interface WeightSource {
  /** From -scale to scale, evenly. */
  weights(count: number, scale: number): Float32Array;
  /** A whole number from 0 to one less than `below`. */
  whole(below: number): number;
}

export function createWeightSource(seed: number): WeightSource {
  const random = createRandom(seed);
  return {
    weights: (count, scale) => Float32Array.from({ length: count }, () => (random.next() * 2 - 1) * scale),
    whole: (below) => random.below(below),
  };
}
