/** Which figures are drawn, and how: throughput of all subjects, distributions of latency, and how throughput grows. */
import type { LoadFigures } from '../figures/load-figures.js';
import { growthOf, type Growth, type Results } from '../figures/results.js';
import { LOADS, SUBJECTS } from '../loads.js';
import { barChart } from './bar-chart.js';
import { lineChart } from './line-chart.js';

export function throughputChart({ loads }: Results): string {
  const bars = loads
    .filter(({ load, subject }) => load === LOADS.unique && subject !== SUBJECTS.oneWorker)
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
      'Repeated texts, arriving at half of the rate that the service can do.',
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
  return [lineChart({ title, caption, horizontal, vertical, series, marked: false })];
}

export function growthCharts(results: Results): string[] {
  return growthOf(results).flatMap((growth) => {
    // A logarithmic axis has no place for a load that got no answer: it shows in the table.
    const points = growth.points.filter(({ perSecond }) => perSecond > 0);
    return points.length < 2 ? [] : [growthChart({ ...growth, points })];
  });
}

function growthChart({ title, axis, points }: Growth): string {
  const caption = 'Answers a second, as many as the service can.';
  if (axis === 'workers') {
    const bars = points.map(({ x, perSecond }) => ({
      name: x === 1 ? '1 worker' : `${x} workers`,
      value: perSecond,
      main: true,
    }));
    return barChart(title, caption, bars);
  }
  return lineChart({
    title,
    caption,
    horizontal: { label: axis, scale: axis === 'characters' ? 'logarithmic' : 'linear' },
    // Over lengths and shares from the cache, throughput spans powers of ten.
    vertical: { label: 'answers a second', scale: 'logarithmic' },
    series: [{ name: title, points: points.map(({ x, perSecond }) => ({ x, y: perSecond })) }],
    marked: true,
  });
}
