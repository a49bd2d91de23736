/** Promises of the tables: what was not measured is said, and every error is told. */
import { describe, expect, it } from 'vitest';
import { goalsOf } from '../../../../benchmarks/load/figures/goals.js';
import { summarise } from '../../../../benchmarks/load/figures/load-figures.js';
import type { Results } from '../../../../benchmarks/load/figures/results.js';
import { LOADS } from '../../../../benchmarks/load/loads.js';
import { tablesOf } from '../../../../benchmarks/load/report/load-tables.js';
import { measurement } from './measurement.js';

const loads = summarise([
  measurement({ answers: { 503: 7 }, cpuCores: 1.8, threads: { http: 0.1234, workers: 1.6, helpers: 0.08 } }),
  measurement({ load: LOADS.uniqueHalf, latenciesMs: Float64Array.of(1, 2, 3) }),
  measurement({ subject: 'other' }),
  measurement({ subject: 'other', load: LOADS.uniqueHalf, latenciesMs: Float64Array.of(20, 30) }),
]);

const results: Results = {
  finishedAt: '2030-01-01T00:00:00.000Z',
  minutes: 1,
  model: 'other',
  texts: 'other',
  runsPerText: 1,
  tokensPerText: 40,
  workers: 2,
  rounds: 1,
  measureSeconds: 8,
  arrivals: 'poisson',
  machine: { processor: 'other', cores: 2, memoryGigabytes: 1, system: 'Linux', node: 'v20' },
  peers: [{ name: 'other', description: 'other' }],
  goals: goalsOf({ modelId: 'other', cores: 2, loads, workers: 2, startsMs: [900], memory: null }),
  loads,
  memory: null,
  startsMs: [900],
  notes: ['other'],
};

describe('the tables', () => {
  it('say which goals were not measured, and every error', () => {
    const cells = tablesOf(results).flatMap(({ rows }) => rows.flat());
    expect(cells).toContain('not measured');
    expect(cells).toContain('reached');
    expect(cells).toContain('503: 7');
  });

  it('show the processor time of an answer by thread', () => {
    const profile = tablesOf(results).find(({ title }) => title.startsWith('Profile by thread'));
    expect(profile?.rows[0]?.slice(1)).toEqual(['18.000', '1.234', '16.000', '0.800', '']);
  });
});
