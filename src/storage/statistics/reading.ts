/** What was counted within a time, as the database has it: flush before, so that it is not a minute old. */
import type { Ask, SqlValue } from '../sql/sql-database.js';
import type { Cell } from './counts.js';

export interface Selection {
  /** Of one of SPANS. */
  readonly spanMs: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Undefined, here and below: all. */
  readonly keyIds?: readonly string[] | undefined;
  readonly door?: string | undefined;
  /** By this and what follows there are verdicts alone. */
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  /** The lowest and the highest. */
  readonly scores?: readonly [number, number] | undefined;
}

export interface CellTotal extends Cell {
  readonly outcome: string;
  readonly total: number;
}

export function totalsOf(read: Ask, selection: Selection): Promise<CellTotal[]> {
  const { where, values } = conditionsOf(selection);
  return read<CellTotal>(
    `select counted.outcome, counted.total, key_id, door, language, score, categories
    from (
      select outcome, cell, sum(total) as total from parapet.statistics_count where ${where} group by outcome, cell
    ) as counted join parapet.statistics_cell on id = counted.cell`,
    values,
  );
}

export interface TimeTotal {
  readonly start: number;
  readonly outcome: string;
  readonly total: number;
}

export function totalsOverTime(read: Ask, selection: Selection): Promise<TimeTotal[]> {
  const { where, values } = conditionsOf(selection);
  return read<TimeTotal>(
    `select start, outcome, sum(total) as total from parapet.statistics_count where ${where} group by start, outcome`,
    values,
  );
}

function conditionsOf(selection: Selection): { readonly where: string; readonly values: readonly SqlValue[] } {
  const { spanMs, fromMs, toMs, keyIds, door, language, category, scores } = selection;
  const values: SqlValue[] = [spanMs, fromMs, toMs];
  const place = (value: SqlValue): string => `$${values.push(value)}`;
  const ofCell = [
    ...(keyIds === undefined ? [] : [keyIds.length === 0 ? '1 = 0' : `key_id in (${keyIds.map(place).join(', ')})`]),
    ...(door === undefined ? [] : [`door = ${place(door)}`]),
    ...(language === undefined ? [] : [`language = ${place(language)}`]),
    ...(category === undefined ? [] : [`categories like ${place(`%,${category},%`)}`]),
    ...(scores === undefined ? [] : [`score between ${place(scores[0])} and ${place(scores[1])}`]),
  ];
  const cells =
    ofCell.length === 0 ? '' : ` and cell in (select id from parapet.statistics_cell where ${ofCell.join(' and ')})`;
  return { where: `span = $1 and start >= $2 and start < $3${cells}`, values };
}
