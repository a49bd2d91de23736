/** Promises of the queueing simulation: where queueing theory knows the answer, it gives that. */
import { describe, expect, it } from 'vitest';
import { simulate, type Costs, type Replicas } from '../../../../benchmarks/capacity/simulation.js';
import { mean, percentile } from '../../../../benchmarks/load/figures/percentiles.js';

const ONE: Replicas = { replicas: 1, processes: 1, cores: 1, workers: 1, balancer: 'round-robin' };
const POINTS = 10_000;
/** Of mean 1. */
const EXPONENTIAL = Array.from({ length: POINTS }, (_, index) => -Math.log(1 - (index + 0.5) / POINTS));

const costs = (more: Partial<Costs>): Costs => ({ httpMs: 0, workerMs: [1], together: [1], ...more });
const load = (share: number, perMs = 1) => ({ perSecond: 1000 * share * perMs, requests: 200_000, seed: 7 });

function meanOf(site: Replicas, of: Costs, share: number, perMs = 1): number {
  return mean(simulate(site, of, load(share, perMs)).latenciesMs) ?? NaN;
}

/** Mean time in an M/M/c queue whose servers take 1 ms, by Erlang's formula C. */
function erlangMs(servers: number, offered: number): number {
  let term = 1;
  let sum = 0;
  for (let count = 0; count < servers; count += 1) {
    sum += term;
    term *= offered / (count + 1);
  }
  const last = (term * servers) / (servers - offered);
  return 1 + last / (sum + last) / (servers - offered);
}

/** @param expected within a share of it */
function expectNear(actual: number, expected: number, share: number): void {
  expect(Math.abs(actual / expected - 1), `${actual} for ${expected}`).toBeLessThan(share);
}

describe('the simulation', () => {
  it.each([0.3, 0.6, 0.85])('waits as M/M/1 does at a load of %f, in the mean and at the 99th percentile', (share) => {
    const { latenciesMs } = simulate(ONE, costs({ workerMs: EXPONENTIAL }), load(share));
    expectNear(mean(latenciesMs) ?? NaN, 1 / (1 - share), 0.06);
    expectNear(percentile(latenciesMs, 0.99) ?? NaN, Math.log(100) / (1 - share), 0.15);
  });

  it.each([0.3, 0.6, 0.85])('waits as M/D/1 does at a load of %f', (share) => {
    // Pollaczek and Khinchine.
    expectNear(meanOf(ONE, costs({}), share), 1 + share / (2 * (1 - share)), 0.04);
  });

  it.each([2, 8])('waits as M/M/%i does where there are so many workers with a core each', (workers) => {
    const actual = meanOf({ ...ONE, cores: workers, workers }, costs({ workerMs: EXPONENTIAL }), 0.8, workers);
    expectNear(actual, erlangMs(workers, 0.8 * workers), 0.06);
  });

  it('lets jobs share a core that are more than there are cores: M/M/1 with processor sharing', () => {
    const actual = meanOf({ ...ONE, workers: 1000 }, costs({ workerMs: EXPONENTIAL }), 0.6);
    expectNear(actual, 1 / (1 - 0.6), 0.06);
  });

  it('gives the HTTP thread its core first, and no more requests than it has time for', () => {
    const site = { ...ONE, cores: 4, workers: 3 };
    const { answersPerSecond } = simulate(site, costs({ httpMs: 1, workerMs: [0.1] }), {
      ...load(2),
      requests: 20_000,
    });
    expectNear(answersPerSecond, 1000, 0.02);
    // Two processes have two such threads.
    const two = simulate({ ...site, processes: 2 }, costs({ httpMs: 1, workerMs: [0.1] }), load(1.9));
    expectNear(two.answersPerSecond, 1900, 0.02);
  });

  it('judges waiting texts together, which makes more of a worker', () => {
    const { answersPerSecond } = simulate(ONE, costs({ together: [1, 0.9, 0.8, 0.5] }), {
      ...load(3),
      requests: 20_000,
    });
    expectNear(answersPerSecond, 2000, 0.02);
  });

  it('waits less behind a balancer that knows who is least busy', () => {
    const site: Replicas = { ...ONE, replicas: 4 };
    const waits = (balancer: Replicas['balancer']) =>
      meanOf({ ...site, balancer }, costs({ workerMs: EXPONENTIAL }), 0.8, 4);
    expect(waits('least-connections')).toBeLessThan(0.7 * waits('round-robin'));
  });
});
