/** Sums up what was counted for people: in all, over time, beside the time before, and by each thing that was told apart. */
import { ERROR_TABLE, type ErrorCode } from '../../../errors.js';
import type { Key } from '../../../keys/key-record.js';
import { BANDS, bandOf, type Band } from '../../../moderation/verdict.js';
import type { Ask } from '../../../storage/sql/sql-database.js';
import { LATENCY_CLASSES_MS, LATENCY_OUTCOMES } from '../../../storage/statistics/counts.js';
import { DAY_MS } from '../../../durations.js';
import { SPANS, startOf } from '../../../storage/statistics/spans.js';
import { totalsOf, totalsOverTime, type CellTotal, type Selection } from '../../../storage/statistics/reading.js';
import type { Usage } from '../admin-schemas.js';
import { DIMENSIONS, type Dimension } from './overview-names.js';
import { PERIODS_MS, type Measured, type Overview, type OverviewQuery, type OverviewRow } from './overview-schemas.js';

const DAYS_OF_USAGE = 7;
const MOST_ROWS = 50;
/** As many points as a line shows apart. */
const MOST_POINTS = 200;

/** What each key did in the last days, today included. Keys without a verdict are left out. */
export async function usageByKey(read: Ask, now: Date): Promise<ReadonlyMap<string, Usage>> {
  const toMs = startOf(now.getTime(), DAY_MS) + DAY_MS;
  const totals = await totalsOf(read, { spanMs: DAY_MS, fromMs: toMs - DAYS_OF_USAGE * DAY_MS, toMs });
  const usages = new Map<string, Usage>();
  for (const { keyId, outcome, total } of totals) {
    const usage = usages.get(keyId) ?? { requests: 0, flagged: 0 };
    if (isVerdict(outcome)) usages.set(keyId, withVerdicts(usage, outcome, total));
  }
  return usages;
}

/** @throws OperatorError where the database does not answer */
export async function overviewOf(read: Ask, query: OverviewQuery, keys: readonly Key[], now: Date): Promise<Overview> {
  const { fromMs, toMs, spanMs, kept } = rangeOf(query, now.getTime());
  const lengthMs = toMs - fromMs;
  const selection: Selection = { spanMs, fromMs, toMs, ...filtersOf(query, keys) };
  const isOfVerdicts = (query.language ?? query.category ?? query.band) !== undefined;
  const hasBefore = fromMs - lengthMs >= startOf(now.getTime(), spanMs) - kept * spanMs;
  const withBefore = { ...selection, fromMs: fromMs - lengthMs };
  const [cells, moments] = [await totalsOf(read, selection), await totalsOverTime(read, withBefore)];

  const tallies = new Map<number, Tally>();
  const [total, before] = [emptyTally(), emptyTally()];
  for (const { start, outcome, total: count } of moments) {
    const tally = tallies.get(start) ?? emptyTally();
    tallies.set(start, tally);
    for (const each of [tally, start < fromMs ? before : total]) add(each, outcome, count);
  }
  const at = (start: number): Tally => tallies.get(start) ?? emptyTally();
  const starts = Array.from({ length: lengthMs / spanMs }, (_, index) => fromMs + index * spanMs);
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    stepMs: spanMs,
    total: measuredOf(total, isOfVerdicts),
    before: hasBefore ? measuredOf(before, isOfVerdicts) : null,
    series: starts.map((start) => ({
      start: new Date(start).toISOString(),
      ...measuredOf(at(start), isOfVerdicts),
      before: hasBefore ? usageOf(at(start - lengthMs)) : null,
    })),
    breakdowns: breakdownsOf(cells, keys, isOfVerdicts),
    refusals: refusalsOf(cells),
  };
}

/** Of numbers and times alone, so that no program takes a cell for a formula. */
export function csvOf({ series }: Overview): string {
  const rows = series.map(({ start, requests, flagged, refused, cacheHits, p50Ms, p95Ms }) =>
    [start, requests, flagged, refused, cacheHits, p50Ms, p95Ms].join(','),
  );
  return ['start,requests,failed,refused,cached,p50_ms,p95_ms', ...rows, ''].join('\r\n');
}

/** The shortest span that is kept for all of it and the time before, and whose points can be shown; else days. */
function rangeOf({ period, from, to }: OverviewQuery, nowMs: number) {
  const endMs = to === undefined ? nowMs : Date.parse(to);
  const lengthMs = from === undefined ? PERIODS_MS[period] : endMs - Date.parse(from);
  const days = SPANS[2];
  const { ms, kept } =
    SPANS.find(
      (span) => lengthMs / span.ms <= MOST_POINTS && endMs - 2 * lengthMs >= nowMs - (span.kept - 1) * span.ms,
    ) ?? days;
  // Up to the one that runs, or that `to` ends in.
  const toMs = to === undefined ? startOf(endMs, ms) + ms : Math.ceil(endMs / ms) * ms;
  const fromMs = from === undefined ? toMs - Math.max(lengthMs, ms) : startOf(Date.parse(from), ms);
  return { fromMs, toMs, spanMs: ms, kept };
}

function filtersOf({ project, key, door, language, category, band }: OverviewQuery, keys: readonly Key[]) {
  const inProject =
    project === undefined ? undefined : keys.filter(({ projectId }) => projectId === project).map(({ id }) => id);
  const keyIds = key === undefined ? inProject : (inProject ?? [key]).filter((id) => id === key);
  return { keyIds, door, language, category, scores: band && scoresOf(band) };
}

function scoresOf(band: Band): readonly [number, number] {
  const scores = Array.from({ length: 11 }, (_, score) => score).filter((score) => bandOf(score) === band);
  return [scores[0] ?? 0, scores.at(-1) ?? 0];
}

const isVerdict = (outcome: string): boolean => outcome === 'passed' || outcome === 'failed';
const isRefusal = (outcome: string): outcome is ErrorCode => outcome in ERROR_TABLE;

function withVerdicts({ requests, flagged }: Usage, outcome: string, total: number): Usage {
  return { requests: requests + total, flagged: flagged + (outcome === 'failed' ? total : 0) };
}

interface Tally {
  usage: Usage;
  refused: number;
  cached: number;
  /** By class. */
  readonly latency: number[];
}

const emptyTally = (): Tally => ({
  usage: { requests: 0, flagged: 0 },
  refused: 0,
  cached: 0,
  latency: LATENCY_OUTCOMES.map(() => 0),
});

const usageOf = ({ usage }: Tally): Usage => usage;

/** Changes `tally`. */
function add(tally: Tally, outcome: string, total: number): void {
  const latency = LATENCY_OUTCOMES.findIndex((each) => each === outcome);
  if (isVerdict(outcome)) tally.usage = withVerdicts(tally.usage, outcome, total);
  else if (isRefusal(outcome)) tally.refused += total;
  else if (outcome === 'cached') tally.cached += total;
  else if (latency >= 0) tally.latency[latency] = (tally.latency[latency] ?? 0) + total;
}

function measuredOf({ usage, refused, cached, latency }: Tally, isOfVerdicts: boolean): Measured {
  return {
    ...usage,
    refused: isOfVerdicts ? null : refused,
    cacheHits: isOfVerdicts ? null : cached,
    p50Ms: quantileMs(latency, 0.5),
    p95Ms: quantileMs(latency, 0.95),
  };
}

/**
 * Spread evenly within a class of the histogram, so it is exact to the width of one. Null without requests; the lower end of the
 * open class where it falls there.
 */
export function quantileMs(latency: readonly number[], share: number): number | null {
  const wanted = latency.reduce((sum, each) => sum + each, 0) * share;
  if (wanted === 0) return null;
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

function breakdownsOf(
  cells: readonly CellTotal[],
  keys: readonly Key[],
  isOfVerdicts: boolean,
): Overview['breakdowns'] {
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  const rows = new Map(DIMENSIONS.map((dimension) => [dimension, new Map<string | null, OverviewRow>()]));
  function note(dimension: Dimension, value: string | null, name: string, { outcome, total }: CellTotal): void {
    const ofDimension = rows.get(dimension);
    const hasRefusals = !isOfVerdicts && ['project', 'key', 'door'].includes(dimension);
    const row = ofDimension?.get(value) ?? { value, name, requests: 0, flagged: 0, refused: hasRefusals ? 0 : null };
    if (isVerdict(outcome)) ofDimension?.set(value, { ...row, ...withVerdicts(row, outcome, total) });
    else if (row.refused !== null) ofDimension?.set(value, { ...row, refused: row.refused + total });
  }
  for (const cell of cells) {
    if (!isVerdict(cell.outcome) && !isRefusal(cell.outcome)) continue;
    const key = keyOf.get(cell.keyId);
    note('project', key?.projectId ?? null, key?.project ?? '', cell);
    note('key', cell.keyId || null, key === undefined ? cell.keyId : `${key.project}: ${key.name}`, cell);
    note('door', cell.door || null, cell.door, cell);
    note('language', cell.language || null, cell.language, cell);
    const band = cell.score < 0 ? null : bandOf(cell.score);
    note('band', band, band ?? '', cell);
    for (const category of cell.categories.split(',')) if (category !== '') note('category', category, category, cell);
  }
  const most = (one: OverviewRow): number => one.requests + (one.refused ?? 0);
  const listOf = (dimension: Dimension): OverviewRow[] => {
    const list = [...(rows.get(dimension)?.values() ?? [])];
    if (dimension === 'band') return list.sort((a, b) => placeOf(a) - placeOf(b));
    const inOrder = (a: OverviewRow, b: OverviewRow): number =>
      most(b) - most(a) || Number(a.value === null) - Number(b.value === null) || a.name.localeCompare(b.name);
    return list.sort(inOrder).slice(0, MOST_ROWS);
  };
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, listOf(dimension)])) as Overview['breakdowns'];
}

/** What has none comes last. */
function placeOf({ value }: OverviewRow): number {
  return value === null ? BANDS.length : BANDS.findIndex((band) => band === value);
}

function refusalsOf(cells: readonly CellTotal[]): Overview['refusals'] {
  const counts = new Map<ErrorCode, number>();
  for (const { outcome, total } of cells) {
    if (isRefusal(outcome)) counts.set(outcome, (counts.get(outcome) ?? 0) + total);
  }
  return [...counts]
    .map(([code, requests]) => ({ code, status: ERROR_TABLE[code].status, requests }))
    .sort((a, b) => b.requests - a.requests);
}
