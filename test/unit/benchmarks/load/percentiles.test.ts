/** Promises of the arithmetic: percentiles are values that occurred, and are not given where there are too few. */
import { describe, expect, it } from 'vitest';
import { mean, median, percentile } from '../../../../benchmarks/load/figures/percentiles.js';

const oneTo = (count: number): Float64Array => Float64Array.from({ length: count }, (_, index) => index + 1);

describe('a percentile', () => {
  it('is the least value that the share of all values do not exceed', () => {
    expect(percentile(oneTo(1000), 0.5)).toBe(500);
    expect(percentile(oneTo(1000), 0.99)).toBe(990);
    expect(percentile(oneTo(1000), 0.999)).toBe(999);
    expect(percentile(Float64Array.of(10, 20, 30), 0.5)).toBe(20);
  });

  it('is not given where no value lies beyond it', () => {
    expect(percentile(oneTo(999), 0.999)).toBeNull();
    expect(percentile(oneTo(99), 0.99)).toBeNull();
    expect(percentile(new Float64Array(), 0.5)).toBeNull();
  });
});

describe('the median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('leaves out what was not measured, and is nothing of nothing', () => {
    expect(median([null, 5, null])).toBe(5);
    expect(median([null])).toBeNull();
    expect(mean(new Float64Array())).toBeNull();
  });
});
