/** Promises of Cohen's kappa: the figures of worked examples, and an interval that holds what it says. */
import { describe, expect, it } from 'vitest';
import { kappaOf } from '../../../src/reviews/kappa.js';

describe("Cohen's kappa", () => {
  it.each([
    // Sim and Wright 2005, "The kappa statistic in reliability studies", table 1: two clinicians, 39 patients.
    ['Sim and Wright', { bothYes: 22, firstAlone: 2, secondAlone: 4, bothNo: 11 }, 0.67, 2],
    // Bonett, the R package statpsych, ci.kappa.
    ['Bonett', { bothYes: 31, firstAlone: 12, secondAlone: 4, bothNo: 58 }, 0.6756757, 7],
    ['chance alone', { bothYes: 25, firstAlone: 25, secondAlone: 25, bothNo: 25 }, 0, 9],
    ['always the opposite', { bothYes: 0, firstAlone: 5, secondAlone: 5, bothNo: 0 }, -1, 9],
  ])('of %s is as it is told there', (_, pairs, value, digits) => {
    expect(kappaOf(pairs)?.value).toBeCloseTo(value, digits);
  });

  it.each([
    ['there is no pair', { bothYes: 0, firstAlone: 0, secondAlone: 0, bothNo: 0 }],
    ['nobody ever says yes', { bothYes: 0, firstAlone: 0, secondAlone: 0, bothNo: 9 }],
  ])('is none where %s', (_, pairs) => {
    expect(kappaOf(pairs)).toBeUndefined();
  });

  it('of few pairs that all agree may still be low', () => {
    const { value, interval } = kappaOf({ bothYes: 5, firstAlone: 0, secondAlone: 0, bothNo: 5 }) ?? {};
    expect(value).toBe(1);
    // The exact interval of 10 of 10 begins at 0.025^(1/10).
    expect(interval?.[0]).toBeCloseTo(2 * 0.025 ** 0.1 - 1);
    expect(interval?.[1]).toBe(1);
  });

  it.each([
    [10, 0.2, 0.8],
    [30, 0.5, 0.95],
    [100, 0.05, 0.5],
  ])(
    'has an interval that holds it in 95 of 100 samples of %i pairs, of which %d are yes, where it is %d',
    (of, yes, kappa) => {
      const both = yes * yes + yes * (1 - yes) * kappa;
      const alone = yes * (1 - yes) * (1 - kappa);
      const random = randomFrom(7);
      let [held, samples] = [0, 0];
      for (let sample = 0; sample < 500; sample += 1) {
        const pairs = { bothYes: 0, firstAlone: 0, secondAlone: 0, bothNo: 0 };
        for (let pair = 0; pair < of; pair += 1) {
          const place = random();
          if (place < both) pairs.bothYes += 1;
          else if (place < both + alone) pairs.firstAlone += 1;
          else if (place < both + 2 * alone) pairs.secondAlone += 1;
          else pairs.bothNo += 1;
        }
        const [low, high] = kappaOf(pairs)?.interval ?? [];
        if (low === undefined || high === undefined) continue;
        samples += 1;
        if (low <= kappa && kappa <= high) held += 1;
      }
      expect(held / samples).toBeGreaterThanOrEqual(0.95);
    },
  );
});

/** Mulberry32: the same numbers from the same seed, from 0 on, below 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
