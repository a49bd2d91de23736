/** Words what was measured and predicted as tables. */
import type { Table } from '../accuracy/report/table.js';
import { percentile } from '../load/figures/percentiles.js';
import type { Measured } from './measure.js';
import { simulate, type Costs, type Replicas } from './simulation.js';

/** Of two, three and four short texts in one batch: docs/decisions/0077-several-texts.md. */
const TOGETHER = [1, 0.92, 0.89, 0.86];
const REQUESTS = 20_000;
/** As `parapet start --processes auto`. */
const WORKERS_PER_PROCESS = 8;

const ONE = { replicas: 1, processes: 1, balancer: 'round-robin' } as const;

export function tablesOf(measured: Measured): Table[] {
  const { unique, cached, workerMs, workers } = measured;
  const meanMs = workerMs.reduce((sum, ms) => sum + ms, 0) / workerMs.length;
  const costs = { httpMs: unique.httpMs, workerMs, together: TOGETHER };
  const here = { ...ONE, cores: workers, workers };
  const most = mostPerSecond(here, costs);
  // What no part of the model takes: garbage collection, the system, who sends the load, and other programs.
  const slower = most / unique.perSecond;
  const real = { ...costs, httpMs: slower * unique.httpMs, workerMs: workerMs.map((ms) => slower * ms) };
  return [
    {
      title: 'Measured',
      headings: [],
      rows: [
        ['machine', measured.machine],
        ['model, texts', `${measured.model}; ${measured.texts}`],
        ['a text, of a worker', `${meanMs.toFixed(2)} ms of processor time, alone`],
        ['a text, of the HTTP thread', `${unique.httpMs.toFixed(2)} ms; from the cache ${cached.httpMs.toFixed(2)} ms`],
        [
          'one HTTP thread feeds',
          `${whole(1000 / unique.httpMs)} texts a second, or ${(meanMs / unique.httpMs).toFixed(1)} workers`,
        ],
        [
          'from the cache, a second',
          `${whole(1000 / cached.httpMs)} by that time; measured ${cached.perSecond?.toFixed(0) ?? '–'}`,
        ],
        [`${workers} workers`, `${whole(unique.perSecond)} texts a second; predicted ${whole(most)}`],
      ],
    },
    {
      title: `Waits with ${workers} workers, in milliseconds; all costs ${slower.toFixed(2)} times as large, so that the rates agree`,
      headings: ['load', 'p50', 'predicted', 'p99', 'predicted'],
      rows: measured.waits.map(({ share, p50, p99 }) => {
        const predicted = waits(here, real, share * unique.perSecond);
        return [`${whole(100 * share)} %`, ms(p50), ms(predicted.p50), ms(p99), ms(predicted.p99)];
      }),
    },
    {
      title: 'Predicted with these costs: uncached texts a second, and at 70 % of them the waits in milliseconds',
      headings: ['replicas × cores, processes', 'at most', '70 %', 'p50', 'p99', 'p99, least connections'],
      rows: SITES.map((site) => siteRow(site, real)),
    },
  ];
}

const SITES: readonly Replicas[] = [
  ...[1, 2, 4, 8].flatMap((replicas) =>
    [1, 2, 8, 16].map((cores) => {
      const processes = Math.ceil(cores / WORKERS_PER_PROCESS);
      return { ...ONE, replicas, cores, processes, workers: cores / processes };
    }),
  ),
  { ...ONE, cores: 16, workers: 16 },
];

function siteRow(site: Replicas, costs: Costs): string[] {
  const most = mostPerSecond(site, costs);
  const { p50, p99 } = waits(site, costs, 0.7 * most);
  const least = waits({ ...site, balancer: 'least-connections' }, costs, 0.7 * most);
  const name = `${site.replicas} × ${site.cores}, ${site.processes}`;
  return [name, whole(most), whole(0.7 * most), ms(p50), ms(p99), ms(least.p99)];
}

/** As many as are answered where more come than can be. */
function mostPerSecond(site: Replicas, costs: Costs): number {
  return simulate(site, costs, { perSecond: 1e6, requests: REQUESTS, seed: 1 }).answersPerSecond;
}

function waits(site: Replicas, costs: Costs, perSecond: number) {
  const { latenciesMs } = simulate(site, costs, { perSecond, requests: REQUESTS, seed: 2 });
  return { p50: percentile(latenciesMs, 0.5), p99: percentile(latenciesMs, 0.99) };
}

const whole = (value: number): string => value.toFixed(0);
const ms = (value: number | null): string => value?.toFixed(1) ?? '–';
