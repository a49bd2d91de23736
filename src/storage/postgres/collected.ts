/** Uses of keys and statistics: collected in memory, and added to the database now and then. */
import {
  DAY_MS,
  HOUR_MS,
  PERIODS_KEPT,
  startOf,
  statisticsSchema,
  sumOf,
  type Statistics,
} from '../statistics-record.js';
import type { StatisticsRepository, UsageRepository } from '../store.js';
import { createStatistics, createUsage } from '../write-behind.js';
import type { Database } from './database.js';

interface CollectedDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly onProblem: (message: string) => void;
}

export function createPostgresUsage({ database, now, onProblem }: CollectedDeps): UsageRepository {
  return createUsage({
    onProblem,
    add: (uses) =>
      database.change(async (sql) => {
        const latest = now().toISOString();
        const batch = JSON.stringify([...uses].map(([id, atMs]) => ({ id, at: new Date(atMs).toISOString() })));
        // In one order in every server, so that two that write at once wait for each other and never in a circle.
        await sql`
          insert into parapet.usage (key_id, used_at)
          select id, least(at, ${latest}) from json_to_recordset(${batch}::text::json) as used (id text, at timestamptz) order by id
          on conflict (key_id) do update set used_at = greatest(usage.used_at, excluded.used_at)`;
        // A time that is still to come is of a clock that was ahead, and the use is over by now.
        await sql`update parapet.usage set used_at = ${latest} where used_at > ${latest}`;
      }),
  });
}

/** Of pg_advisory_xact_lock: one server at a time adds. */
const STATISTICS_LOCK = 7_271_002;

export function createPostgresStatistics({ database, now, onProblem }: CollectedDeps): StatisticsRepository {
  return createStatistics({
    now,
    onProblem,
    read: async () => statisticsOf(await database.read((sql) => sql<PeriodRow[]>`select * from parapet.statistics`)),
    add: (batch) =>
      database.change(async (sql) => {
        const at = now();
        // Those that are added to, and what a clock that was ahead has counted, which is counted with the present ones.
        const starts = new Set([
          startOf(at, HOUR_MS),
          startOf(at, DAY_MS),
          ...PERIODS.flatMap((each) => Object.keys(batch[each])),
        ]);
        await sql`select pg_advisory_xact_lock(${STATISTICS_LOCK})`;
        const before = await sql<PeriodRow[]>`
          delete from parapet.statistics where start > ${at} or start in ${sql([...starts])} returning *`;
        const sum = sumOf(statisticsOf(before), batch, at);
        for (const period of PERIODS) {
          await sql`
            insert into parapet.statistics (period, start, tallies)
            select ${period}, key::timestamptz, value from json_each(${JSON.stringify(sum[period])}::text::json)`;
          await sql`
            delete from parapet.statistics where period = ${period} and start not in
              (select start from parapet.statistics where period = ${period} order by start desc limit ${PERIODS_KEPT[period]})`;
        }
      }),
  });
}

const PERIODS = ['hours', 'days'] as const;

interface PeriodRow {
  readonly period: (typeof PERIODS)[number];
  readonly start: Date;
  readonly tallies: unknown;
}

function statisticsOf(rows: readonly PeriodRow[]): Statistics {
  const of = (wanted: PeriodRow['period']) =>
    Object.fromEntries(
      rows.filter(({ period }) => period === wanted).map(({ start, tallies }) => [start.toISOString(), tallies]),
    );
  return statisticsSchema.parse({ version: 1, hours: of('hours'), days: of('days') });
}
