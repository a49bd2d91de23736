/** Numbers that look random and are the same in every run. */

export interface WeightSource {
  /** From -scale to scale, evenly. */
  weights(count: number, scale: number): Float32Array;
  /** A whole number from 0 to one less than `below`. */
  whole(below: number): number;
}

/** mulberry32, as in the public domain by Tommy Ettinger. */
export function createWeightSource(seed: number): WeightSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    weights: (count, scale) => Float32Array.from({ length: count }, () => (next() * 2 - 1) * scale),
    whole: (below) => Math.floor(next() * below),
  };
}
