/** What earlier releases counted, by key, hour and day, in a file or an export, as rows of the database: read once, and written nowhere. */
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf } from '../../errors.js';
import { insertRow, type RowItem } from '../sql/record-rows.js';
import type { SqlDatabase } from '../sql/sql-database.js';
import { idOf, LATENCY_OUTCOMES } from './counts.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';

const count = z.int().min(0);
/** By the id of the key; `other` for the rest. */
export const talliesSchema = z.record(
  z.string(),
  z.object({
    requests: count,
    flagged: count,
    cacheHits: count,
    /** Requests per class of latency. */
    latency: z.array(count).length(LATENCY_OUTCOMES.length),
  }),
);
/** By the start of the hour or day. */
const periodsSchema = z.record(z.iso.datetime(), talliesSchema);
const fileSchema = z.object({ version: z.literal(1), hours: periodsSchema, days: periodsSchema });

export interface EarlierTallies {
  readonly period: 'hours' | 'days';
  readonly start: string;
  readonly tallies: z.output<typeof talliesSchema>;
}

/** The same tallies give the same rows, so that nothing is counted twice. */
export function* rowsOfEarlier({ period, start, tallies }: EarlierTallies): Generator<RowItem> {
  for (const [key, { requests, flagged, cacheHits, latency }] of Object.entries(tallies)) {
    const keyId = key === 'other' ? '' : key;
    const id = idOf({ keyId, door: '', language: '', score: -1, categories: '' });
    const cell = { id, key_id: keyId, door: '', language: '', score: -1, categories: '' };
    yield { kind: 'row', table: 'statistics_cell', row: cell };
    const counts: [string, number][] = [
      ['passed', Math.max(0, requests - flagged)],
      ['failed', flagged],
      ['cached', cacheHits],
      ...latency.map((total, index): [string, number] => [LATENCY_OUTCOMES[index] ?? 'longer', total]),
    ];
    const span = period === 'hours' ? HOUR_MS : DAY_MS;
    for (const [outcome, total] of counts) {
      const row = { span, start: Date.parse(start), outcome, cell: id, total };
      if (total > 0) yield { kind: 'row', table: 'statistics_count', row };
    }
  }
}

/** Takes the file of an earlier release into the database, and removes it. Where there is none, there is nothing to do. */
export async function takeEarlierFile(
  file: string,
  sql: SqlDatabase,
  onProblem: (message: string) => void,
): Promise<void> {
  if (!existsSync(file)) return;
  try {
    const { hours, days } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    await sql.change(async (ask) => {
      for (const [period, periods] of Object.entries({ hours, days })) {
        for (const [start, tallies] of Object.entries(periods)) {
          const earlier = { period: period === 'hours' ? 'hours' : 'days', start, tallies } as const;
          for (const row of rowsOfEarlier(earlier)) await insertRow(ask, row);
        }
      }
    });
  } catch (error) {
    const isDamaged = error instanceof z.ZodError || error instanceof SyntaxError;
    const why = isDamaged ? 'it is damaged: remove it' : messageOf(error);
    onProblem(`The statistics file ${file} of an earlier release is not taken over (${why}).`);
    return;
  }
  // In a folder that cannot be written it is taken again by the next process.
  await rm(file, { force: true }).catch(() => undefined);
}
