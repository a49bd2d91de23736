/** Promises of the ideal queue: it waits as long as queueing theory says, for the very arrivals of the open loop. */
import { describe, expect, it } from 'vitest';
import { idealLatencies, timesInQueue } from '../../../../benchmarks/load/figures/ideal-queue.js';
import { createSchedule } from '../../../../benchmarks/load/generator/arrivals.js';
import { createRandom } from '../../../../benchmarks/robustness/random.js';

const COUNT = 200_000;
const MEAN_MS = 10;
const HALF_OF_ONE_SERVER = 500 / MEAN_MS;

const always = Float64Array.of(MEAN_MS);
const random = createRandom(7);
const exponential = Float64Array.from({ length: COUNT }, () => -MEAN_MS * Math.log(1 - random.next()));

function poisson(perSecond: number): number[] {
  const schedule = createSchedule('poisson', perSecond, 3);
  return Array.from({ length: COUNT }, () => schedule.next());
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Within 3 % of what theory says. */
function expectNear(measured: number | null, expected: number): void {
  expect(Math.abs((measured ?? 0) / expected - 1)).toBeLessThan(0.03);
}

describe('the ideal queue', () => {
  it('waits as M/D/1 does: half the load over what is left, in service times', () => {
    const times = timesInQueue({ arrivalsMs: poisson(HALF_OF_ONE_SERVER), serviceMs: always, servers: 1 });
    expectNear(meanOf(times), MEAN_MS * (1 + 0.5 / (2 * (1 - 0.5))));
  });

  it('waits as M/M/2 does at half of its rate: a third longer than the service', () => {
    const times = timesInQueue({ arrivalsMs: poisson(2 * HALF_OF_ONE_SERVER), serviceMs: exponential, servers: 2 });
    expectNear(meanOf(times), MEAN_MS * (4 / 3));
  });

  it('measures what arrives in the interval and has the warm-up wait as well', () => {
    const pace = { kind: 'open', connections: 8, perSecond: 1000, arrivals: 'even', seed: 1 } as const;
    const load = { pace, warmUpMs: 10, measureMs: 5, serviceMs: Float64Array.of(2), servers: 1 };
    // One comes each millisecond from 1 on and takes two: the n-th waits n - 1. Of the interval are those from 10 to 14.
    expect(Array.from(idealLatencies(load))).toEqual([11, 12, 13, 14, 15]);
  });
});
