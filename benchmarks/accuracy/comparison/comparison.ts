/** What got better or worse since an earlier run, beyond noise. */
import type { Estimate } from '../metrics/resampling.js';
import type { Change, Comparison, Results } from '../results.js';
import { differenceInterval, type Measurement } from './difference.js';
import { figuresOf, type Figure } from './figure-list.js';

export interface EarlierRun {
  readonly file: string;
  readonly results: Results;
}

type Run = Pick<Results, 'measured' | 'positive'>;

export function compare(now: Run, { file, results }: EarlierRun): Comparison {
  const before = new Map(figuresOf(results).map((figure) => [figure.name, figure]));
  const comparison: Comparison = {
    file,
    model: results.model,
    finishedAt: results.finishedAt,
    sameRows: haveSameRows(now, results),
    worse: [],
    better: [],
    unchanged: 0,
    notCompared: [],
  };
  for (const figure of figuresOf(now)) {
    const earlier = before.get(figure.name)?.estimate ?? null;
    before.delete(figure.name);
    // Neither run could tell: nothing to say.
    if (figure.estimate === null && earlier === null) continue;
    const [known, knownEarlier] = [measurementOf(figure.estimate), measurementOf(earlier)];
    if (known === null || knownEarlier === null) comparison.notCompared.push(figure.name);
    else place(comparison, figure, known, knownEarlier);
  }
  comparison.notCompared.push(
    ...[...before.values()].filter(({ estimate }) => estimate !== null).map(({ name }) => name),
  );
  return comparison;
}

function haveSameRows(now: Run, before: Run): boolean {
  const hashes = new Map(before.measured.map(({ labelKind, rowsSha256 }) => [labelKind, rowsSha256]));
  const differ = now.measured.some(({ labelKind, rowsSha256 }) => (hashes.get(labelKind) ?? rowsSha256) !== rowsSha256);
  return !differ && now.positive === before.positive;
}

function measurementOf(estimate: Estimate | null): Measurement | null {
  return estimate?.interval ? { value: estimate.value, interval: estimate.interval } : null;
}

function place(comparison: Comparison, figure: Figure, now: Measurement, before: Measurement): void {
  const interval = differenceInterval(now, before);
  const change: Change = { figure: figure.name, before: before.value, now: now.value, interval };
  if (interval[0] <= 0 && interval[1] >= 0) comparison.unchanged += 1;
  else if (interval[0] > 0 === (figure.better === 'higher')) comparison.better.push(change);
  else comparison.worse.push(change);
}
