/** Counts verdicts and refusals in memory, and adds them to the database now and then. Several servers add up. Never stops a verdict. */
import { messageOf } from '../../errors.js';
import type { Ask, SqlDatabase } from '../sql/sql-database.js';
import { createWriteBehind } from '../write-behind.js';
import {
  addTo,
  countRefusal,
  countVerdict,
  idOf,
  keyOf,
  outcomeAndCell,
  placeOf,
  type Cell,
  type CountedRefusal,
  type CountedVerdict,
  type Counts,
} from './counts.js';
import { DAY_MS } from '../../durations.js';
import { SPANS, startOf, type Span } from './spans.js';

export interface Statistics {
  note(verdict: CountedVerdict): void;
  refuse(refusal: CountedRefusal): void;
  /** Meant for a timer. Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export interface StatisticsDeps {
  readonly sql: Pick<SqlDatabase, 'change'>;
  readonly now: () => Date;
  /** Before the first flush. Never rejects. */
  readonly takeEarlier?: () => Promise<void>;
  /** Told of the first in a row of failures to write. */
  readonly onProblem: (message: string) => void;
}

/** By the start of the shortest span, in milliseconds. */
type Batch = Map<number, Counts>;

/** Of what waits for a database that does not answer: four hours. Of more, the two oldest become one. */
const MOST_WAITING = 48;
const [{ ms: SHORTEST_MS }] = SPANS;

export function createStatistics({ sql, now, takeEarlier, onProblem }: StatisticsDeps): Statistics {
  const behind = createWriteBehind<Batch>({
    empty: () => new Map(),
    isEmpty: ({ size }) => size === 0,
    add: (batch) => sql.change((ask) => addBatch(ask, batch, now().getTime()), 'statistics'),
    sumOf: joined,
    onFailure: (error) => onProblem(`Statistics could not be written: ${messageOf(error)}`),
  });
  let taken: Promise<void> | undefined;
  const present = (): Counts => countsAt(behind.pending(), startOf(now().getTime(), SHORTEST_MS));
  return {
    note: (verdict) => countVerdict(present(), verdict),
    refuse: (refusal) => countRefusal(present(), refusal),
    async flush() {
      await (taken ??= takeEarlier?.());
      await behind.flush();
    },
  };
}

/** Changes `batch`. */
function countsAt(batch: Batch, start: number): Counts {
  let counts = batch.get(start);
  if (counts === undefined) batch.set(start, (counts = new Map<string, number>()));
  return counts;
}

function addAll(counts: Counts, added: Counts): void {
  for (const [key, total] of added) addTo(counts, key, total);
}

function joined(earlier: Batch, later: Batch): Batch {
  const sum: Batch = new Map<number, Counts>(earlier);
  for (const [start, counts] of later) addAll(countsAt(sum, start), counts);
  const starts = [...sum.keys()].sort((a, b) => a - b);
  for (const [index, start] of starts.slice(0, -MOST_WAITING).entries()) {
    addAll(countsAt(sum, starts[index + 1] ?? start), countsAt(sum, start));
    sum.delete(start);
  }
  return sum;
}

async function addBatch(ask: Ask, batch: Batch, atMs: number): Promise<void> {
  // The clocks of two servers differ: only what is far ahead is not believed. It is over by now, and is counted with the present.
  const ahead = atMs + DAY_MS;
  for (const span of SPANS) {
    const present = startOf(atMs, span.ms);
    const sum: Batch = new Map<number, Counts>();
    for (const [start, counts] of batch) {
      addAll(countsAt(sum, start > ahead ? present : startOf(start, span.ms)), counts);
    }
    const untrue = await rowsWhere(ask, 'span = $1 and start > $2', [span.ms, ahead]);
    for (const { outcome, total, ...cell } of untrue) addTo(countsAt(sum, present), keyOf(outcome, cell), total);
    if (untrue.length > 0) {
      await ask('delete from parapet.statistics_count where span = $1 and start > $2', [span.ms, ahead]);
    }
    for (const [start, counts] of sum) await addPeriod(ask, span, start, counts);
  }
}

async function addPeriod(ask: Ask, { ms, kept }: Span, start: number, counts: Counts): Promise<void> {
  const present = await rowsWhere(ask, 'span = $1 and start = $2', [ms, start]);
  const known = new Set(present.map(({ outcome, ...cell }) => keyOf(outcome, cell)));
  for (const [key, total] of counts) {
    const place = placeOf(key, known);
    const { outcome, cell } = outcomeAndCell(place);
    const { keyId, door, language, score, categories } = cell;
    const id = idOf(cell);
    if (!known.has(place)) {
      known.add(place);
      await ask(
        `insert into parapet.statistics_cell (id, key_id, door, language, score, categories)
        values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [id, keyId, door, language, score, categories],
      );
    }
    await ask(
      `insert into parapet.statistics_count (span, start, outcome, cell, total) values ($1, $2, $3, $4, $5)
      on conflict (span, start, outcome, cell) do update set total = statistics_count.total + excluded.total`,
      [ms, start, outcome, id, total],
    );
  }
  if (present.length === 0) await dropOldest(ask, ms, kept);
}

async function dropOldest(ask: Ask, spanMs: number, kept: number): Promise<void> {
  await ask(
    `delete from parapet.statistics_count where span = $1 and start <= (
      select distinct start from parapet.statistics_count where span = $1 order by start desc limit 1 offset $2)`,
    [spanMs, kept],
  );
  if (spanMs === DAY_MS) {
    await ask('delete from parapet.statistics_cell where id not in (select cell from parapet.statistics_count)');
  }
}

interface CountRow extends Cell {
  readonly outcome: string;
  readonly total: number;
}

function rowsWhere(ask: Ask, where: string, values: readonly number[]): Promise<CountRow[]> {
  return ask<CountRow>(
    `select outcome, total, key_id, door, language, score, categories
    from parapet.statistics_count join parapet.statistics_cell on id = cell where ${where}`,
    values,
  );
}
