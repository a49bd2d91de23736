/** What is counted of the answers that each key got, by hour and by day, and how counts are added and kept few. Holds no content. */
import { z } from 'zod';

/** Upper ends of the classes of latency in milliseconds; the last class is open. */
export const LATENCY_CLASSES_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500] as const;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Of those in which something was counted. By number and not by age: a clock that jumps ahead must not make all of them old. */
export const PERIODS_KEPT = { hours: 48, days: 60 } as const;
/** The rest of a period's keys are counted together, so that the file stays under about 2 MB. */
const MOST_KEYS_PER_PERIOD = 200;
export const OTHER_KEYS = 'other';

const count = z.int().min(0);
const tallySchema = z.object({
  requests: count,
  flagged: count,
  cacheHits: count,
  /** Requests per class of latency. */
  latency: z.array(count).length(LATENCY_CLASSES_MS.length + 1),
});
export type Tally = z.output<typeof tallySchema>;

/** By the start of the period (ISO 8601), then by the id of the key. */
const periodsSchema = z.record(z.iso.datetime(), z.record(z.string(), tallySchema));
type Periods = z.output<typeof periodsSchema>;

export const statisticsSchema = z.object({ version: z.literal(1), hours: periodsSchema, days: periodsSchema });
export type Statistics = z.output<typeof statisticsSchema>;

export const noStatistics = (): Statistics => ({ version: 1, hours: {}, days: {} });

export const emptyTally = (): Tally => ({
  requests: 0,
  flagged: 0,
  cacheHits: 0,
  latency: Array.from({ length: LATENCY_CLASSES_MS.length + 1 }, () => 0),
});

export interface Answered {
  readonly keyId: string;
  readonly flagged: boolean;
  readonly cached: boolean;
  readonly latencyMs: number;
}

/** Changes `statistics`. */
export function countAnswer(statistics: Statistics, { keyId, flagged, cached, latencyMs }: Answered, at: Date): void {
  const tally = emptyTally();
  tally.requests = 1;
  tally.flagged = flagged ? 1 : 0;
  tally.cacheHits = cached ? 1 : 0;
  const found = LATENCY_CLASSES_MS.findIndex((most) => latencyMs <= most);
  tally.latency[found === -1 ? LATENCY_CLASSES_MS.length : found] = 1;
  addTo(statistics.hours, startOf(at, HOUR_MS), keyId, tally);
  addTo(statistics.days, startOf(at, DAY_MS), keyId, tally);
}

/** Both together, without the oldest periods beyond those that are kept. */
export function sumOf(one: Statistics, other: Statistics, now: Date): Statistics {
  const sum = noStatistics();
  for (const { hours, days } of [one, other]) {
    addPeriods(sum.hours, hours, now, HOUR_MS);
    addPeriods(sum.days, days, now, DAY_MS);
  }
  return { ...sum, hours: latestOf(sum.hours, PERIODS_KEPT.hours), days: latestOf(sum.days, PERIODS_KEPT.days) };
}

/** What a clock that was ahead has counted is over by now, and is counted with the present period. */
function addPeriods(sum: Periods, added: Periods, now: Date, periodMs: number): void {
  // The clocks of two servers differ: the period after the present one is believed.
  const latestMs = now.getTime() + periodMs;
  for (const [start, tallies] of Object.entries(added)) {
    const place = Date.parse(start) > latestMs ? startOf(now, periodMs) : start;
    for (const [keyId, tally] of Object.entries(tallies)) addTo(sum, place, keyId, tally);
  }
}

function latestOf(periods: Periods, most: number): Periods {
  const starts = Object.keys(periods).sort();
  return Object.fromEntries(starts.slice(-most).map((start) => [start, periods[start] ?? {}]));
}

function addTo(periods: Periods, start: string, keyId: string, added: Tally): void {
  const tallies = (periods[start] ??= {});
  const isFull = !(keyId in tallies) && Object.keys(tallies).length >= MOST_KEYS_PER_PERIOD;
  const place = isFull ? OTHER_KEYS : keyId;
  const before = tallies[place];
  tallies[place] = before === undefined ? added : addTallies(before, added);
}

export function addTallies(one: Tally, other: Tally): Tally {
  return {
    requests: one.requests + other.requests,
    flagged: one.flagged + other.flagged,
    cacheHits: one.cacheHits + other.cacheHits,
    latency: one.latency.map((value, index) => value + (other.latency[index] ?? 0)),
  };
}

export function startOf(at: Date, periodMs: number): string {
  return new Date(Math.floor(at.getTime() / periodMs) * periodMs).toISOString();
}
