/** Sums statistics up for people: per hour, per day, per project, per key. Pure functions. */
import type { Key } from '../../keys/key-record.js';
import type { Overview, Usage } from './admin-schemas.js';
import {
  addTallies,
  DAY_MS,
  emptyTally,
  HOUR_MS,
  LATENCY_CLASSES_MS,
  startOf,
  type Statistics,
  type Tally,
} from '../../storage/statistics-record.js';

export const DAYS_OF_USAGE = 7;

/** What each key did in the last days, today included. Keys without a request are left out. */
export function usageByKey({ days }: Statistics, now: Date): ReadonlyMap<string, Usage> {
  const tallies = new Map<string, Tally>();
  for (const start of lastPeriods(now, DAY_MS, DAYS_OF_USAGE)) {
    for (const [keyId, tally] of Object.entries(days[start] ?? {})) {
      tallies.set(keyId, addTallies(tallies.get(keyId) ?? emptyTally(), tally));
    }
  }
  return new Map([...tallies].map(([keyId, tally]) => [keyId, usageOf(tally)]));
}

/** @param span 24 hours or 30 days, ending with the one that runs */
export function overviewOf(statistics: Statistics, keys: readonly Key[], span: Overview['span'], now: Date): Overview {
  const [periods, periodMs, length] =
    span === '24h' ? ([statistics.hours, HOUR_MS, 24] as const) : ([statistics.days, DAY_MS, 30] as const);
  const projectOfKey = new Map(keys.map(({ id, project }) => [id, project]));
  const byProject = new Map<string | null, Tally>();
  const shown = lastPeriods(now, periodMs, length).map((start) => {
    let sum = emptyTally();
    for (const [keyId, tally] of Object.entries(periods[start] ?? {})) {
      sum = addTallies(sum, tally);
      const project = projectOfKey.get(keyId) ?? null;
      byProject.set(project, addTallies(byProject.get(project) ?? emptyTally(), tally));
    }
    return { start, ...usageOf(sum), cacheHits: sum.cacheHits, ...latencyOf(sum) };
  });
  const total = [...byProject.values()].reduce(addTallies, emptyTally());
  return {
    span,
    total: { ...usageOf(total), cacheHits: total.cacheHits, ...latencyOf(total) },
    periods: shown,
    projects: [...byProject]
      .map(([project, tally]) => ({ project, ...usageOf(tally), cacheHits: tally.cacheHits, ...latencyOf(tally) }))
      .sort((one, other) => other.requests - one.requests),
  };
}

function usageOf({ requests, flagged }: Tally): Usage {
  return { requests, flagged };
}

/** Starts of the last periods, the oldest first. */
function lastPeriods(now: Date, periodMs: number, length: number): string[] {
  return Array.from({ length }, (_, index) =>
    startOf(new Date(now.getTime() - (length - 1 - index) * periodMs), periodMs),
  );
}

function latencyOf(tally: Tally): { p50Ms: number | null; p95Ms: number | null } {
  return { p50Ms: quantileMs(tally, 0.5), p95Ms: quantileMs(tally, 0.95) };
}

/**
 * Spread evenly within a class of the histogram, so it is exact to the width of one. Null without requests; the lower end of the
 * open class where it falls there.
 */
export function quantileMs({ requests, latency }: Tally, share: number): number | null {
  if (requests === 0) return null;
  const wanted = requests * share;
  let before = 0;
  for (const [index, inClass] of latency.entries()) {
    const from = LATENCY_CLASSES_MS[index - 1] ?? 0;
    const to = LATENCY_CLASSES_MS[index] ?? from;
    if (before + inClass >= wanted && inClass > 0) {
      return Math.round((from + ((wanted - before) / inClass) * (to - from)) * 10) / 10;
    }
    before += inClass;
  }
  return LATENCY_CLASSES_MS.at(-1) ?? null;
}
