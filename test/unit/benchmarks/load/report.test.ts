/** Promises of the reports: one page without anything from elsewhere, all foreign text escaped, axes with round values. */
import { describe, expect, it } from 'vitest';
import { goalsOf } from '../../../../benchmarks/load/figures/goals.js';
import { summarise } from '../../../../benchmarks/load/figures/load-figures.js';
import type { Results } from '../../../../benchmarks/load/figures/results.js';
import { LOADS } from '../../../../benchmarks/load/loads.js';
import { tablesOf } from '../../../../benchmarks/load/report/load-tables.js';
import { renderPage } from '../../../../benchmarks/load/report/page.js';
import { createScale, linearTicks, logarithmicTicks } from '../../../../benchmarks/load/report/scale.js';
import { measurement } from './measurement.js';

const HOSTILE = '<img src=x onerror=alert(1)> & "co"';

const loads = summarise([
  measurement({ answers: { 503: 7 }, cpuCores: 1.8, threads: { http: 0.1234, workers: 1.6, helpers: 0.08 } }),
  measurement({ load: LOADS.uniqueHalf, latenciesMs: Float64Array.of(1, 2, 3) }),
  measurement({ subject: HOSTILE }),
  measurement({ subject: HOSTILE, load: LOADS.uniqueHalf, latenciesMs: Float64Array.of(20, 30) }),
]);

const results: Results = {
  finishedAt: '2030-01-01T00:00:00.000Z',
  minutes: 1,
  model: HOSTILE,
  texts: HOSTILE,
  runsPerText: 1,
  tokensPerText: 40,
  workers: 2,
  rounds: 1,
  measureSeconds: 8,
  arrivals: 'poisson',
  machine: { processor: HOSTILE, cores: 2, memoryGigabytes: 1, system: 'Linux', node: 'v20' },
  peers: [{ name: HOSTILE, description: HOSTILE }],
  goals: goalsOf({ modelId: HOSTILE, cores: 2, loads, workers: 2, startsMs: [900], memory: null }),
  loads,
  memory: null,
  startsMs: [900],
  notes: [HOSTILE],
};

const page = renderPage(results);

describe('the page', () => {
  it('escapes all text that is not its own', () => {
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;');
  });

  it('needs nothing from elsewhere', () => {
    expect(page).not.toMatch(/https?:|url\(|<script|<link|@import/);
    expect(page).toContain(`default-src 'none'`);
  });

  it('leaves a load without answers out of a logarithmic plot', () => {
    const silent = summarise([
      measurement(),
      measurement({ load: LOADS.repeated }),
      measurement({ load: LOADS.cached, perSecond: 0 }),
    ]);
    expect(renderPage({ ...results, loads: silent })).not.toMatch(/NaN|Infinity/);
  });

  it('draws throughput and latency and has no place without a number', () => {
    expect(page).toContain('aria-label="Throughput"');
    expect(page).toContain('aria-label="Latency by subject"');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });
});

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
    expect(page).toContain('Profile by thread');
  });
});

describe('an axis', () => {
  it('has round values that reach over all that is drawn', () => {
    expect(linearTicks(418)).toEqual([0, 100, 200, 300, 400, 500]);
    expect(linearTicks(0)).toEqual([0, 1]);
    expect(logarithmicTicks(3, 120)).toEqual([2, 5, 10, 20, 50, 100, 200]);
    expect(logarithmicTicks(10, 10)).toEqual([10, 20]);
  });

  it('places its ends at 0 and 1', () => {
    const scale = createScale('logarithmic', [1, 100]);
    expect([1, 10, 100].map((value) => scale.shareOf(value))).toEqual([0, 0.5, 1]);
    expect(createScale('linear', [5, 10]).shareOf(5)).toBe(0.5);
  });
});
