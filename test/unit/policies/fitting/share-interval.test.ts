/** Promises of the intervals: exact at both ends, whatever the counts, and kept where a threshold was chosen on the same sample. */
import { describe, expect, it } from 'vitest';
import { createRandomWords } from '../../../../benchmarks/accuracy/metrics/random-words.js';
import { shareInterval } from '../../../../src/policies/fitting/share-interval.js';
import { fitThreshold } from '../../../../src/policies/fitting/threshold-fit.js';

/** That so many of n or fewer are counted, summed term by term. */
function chanceOfAtMost(count: number, of: number, share: number): number {
  let chance = (1 - share) ** of;
  let sum = chance;
  for (let each = 1; each <= count; each += 1) {
    chance *= ((of - each + 1) / each) * (share / (1 - share));
    sum += chance;
  }
  return sum;
}

describe('an interval of a share', () => {
  it.each([
    [1, 2],
    [5, 10],
    [8, 800],
    [3, 5000],
    [150, 300],
    [49, 50],
  ])('ends where %i of %i or a more extreme count has a chance of 2.5 percent', (count, of) => {
    const [low, high] = shareInterval(count, of);
    expect(chanceOfAtMost(count, of, high)).toBeCloseTo(0.025, 6);
    expect(1 - chanceOfAtMost(count - 1, of, low)).toBeCloseTo(0.025, 6);
    expect(low).toBeLessThan(count / of);
    expect(high).toBeGreaterThan(count / of);
  });

  it('begins at none and ends at all where nothing else was seen', () => {
    expect(shareInterval(0, 30)).toEqual([0, expect.closeTo(1 - 0.025 ** (1 / 30), 9)]);
    expect(shareInterval(30, 30)).toEqual([expect.closeTo(0.025 ** (1 / 30), 9), 1]);
  });

  it('holds the true share of false alarms of a fitted threshold 95 times of 100', () => {
    const random = createRandomWords(1);
    const uniform = (): number => (random() >>> 0) / 2 ** 32;
    let held = 0;
    for (let sample = 0; sample < 1000; sample += 1) {
      const texts = Array.from({ length: 200 }, () => ({ probability: uniform(), labelled: false }));
      const { threshold, falseAlarms } = fitThreshold(texts, 0.05);
      const [low = 1, high = 0] = falseAlarms.interval ?? [];
      const share = 1 - (threshold ?? 1);
      if (low <= share && share <= high) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(945);
  });
});
