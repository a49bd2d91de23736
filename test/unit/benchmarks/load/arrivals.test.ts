/** Promises of the schedule: the rate that was asked for, whatever the server does. */
import { describe, expect, it } from 'vitest';
import { createSchedule, type Arrivals } from '../../../../benchmarks/load/generator/arrivals.js';

function gapsOf(kind: Arrivals, perSecond: number, seed = 1): number[] {
  const schedule = createSchedule(kind, perSecond, seed);
  let before = 0;
  return Array.from({ length: 20_000 }, () => {
    const at = schedule.next();
    const gap = at - before;
    before = at;
    return gap;
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a schedule', () => {
  it('has even gaps that do not drift', () => {
    const schedule = createSchedule('even', 300, 1);
    const times = Array.from({ length: 3000 }, () => schedule.next());
    expect(times[299]).toBeCloseTo(1000, 9);
    expect(times.at(-1)).toBeCloseTo(10_000, 9);
  });

  it('has gaps as of independent callers, of the same mean', () => {
    const gaps = gapsOf('poisson', 200);
    expect(meanOf(gaps)).toBeGreaterThan(4.9);
    expect(meanOf(gaps)).toBeLessThan(5.1);
    // Of an exponential distribution, 1 - 1/e of the gaps are shorter than the mean.
    const shorter = gaps.filter((gap) => gap < 5).length / gaps.length;
    expect(Math.abs(shorter - (1 - 1 / Math.E))).toBeLessThan(0.02);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  });
});
