/** Which figures are drawn, and how: throughput of all subjects, and distributions of latency. */
import type { LoadFigures } from '../figures/load-figures.js';
import type { Results } from '../figures/results.js';
import { LOADS, SUBJECTS } from '../loads.js';
import { barChart } from './bar-chart.js';
import { lineChart } from './line-chart.js';

export function throughputChart({ loads }: Results): string {
  const bars = loads
    .filter(({ load }) => load === LOADS.unique)
    .map(({ subject, median }) => ({
      name: subject,
      value: median.perSecond ?? 0,
      main: subject === SUBJECTS.service,
    }));
  return barChart('Throughput', 'Unique short texts a second, as many as each can.', bars);
}

export function latencyCharts({ loads }: Results): string[] {
  const ofService = (...names: readonly string[]): LoadFigures[] =>
    loads.filter(({ subject, load }) => subject === SUBJECTS.service && names.includes(load));
  return [
    ...latencyChart(
      'Latency by subject',
      'Unique short texts, arriving at half of the rate that each can do.',
      loads.filter(({ load }) => load === LOADS.uniqueHalf),
      ({ subject }) => subject,
    ),
    ...latencyChart(
      'Latency beside long texts',
      'Few short texts, alone and beside a flood of texts of 10,000 characters.',
      ofService(LOADS.shortAlone, LOADS.shortBesideLong),
      ({ load }) => load,
    ),
    ...latencyChart(
      'Latency from the cache',
      'Repeated texts, arriving at half of the rate that the service can do, beside few unique ones.',
      ofService(LOADS.cachedHalf),
      ({ load }) => load,
    ),
  ];
}

function latencyChart(
  title: string,
  caption: string,
  loads: readonly LoadFigures[],
  nameOf: (entry: LoadFigures) => string,
): string[] {
  const series = loads
    .filter(({ distribution }) => distribution.length > 0)
    .map((entry) => ({
      name: nameOf(entry),
      points: entry.distribution.map(({ value, share }) => ({ x: value, y: 100 * share })),
    }));
  if (series.length === 0) return [];
  const horizontal = { label: 'milliseconds', scale: 'logarithmic' } as const;
  const vertical = { label: '% of answers within', scale: 'linear' } as const;
  return [lineChart({ title, caption, horizontal, vertical, series })];
}
