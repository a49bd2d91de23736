/** What is kept of people, decisions and statistics, row by row, to and from a store of another kind. */
import { z } from 'zod';
import { camelCase, type Ask, type SqlDatabase, type SqlValue } from './sql-database.js';

/** Each with its key, in whose order the rows are read. Sessions stay where they are. */
const TABLES = {
  account: ['id'],
  invitation: ['id'],
  admin_token: ['id'],
  audit: ['sequence'],
  decision: ['id'],
  appeal: ['id'],
  review: ['sequence'],
  label: ['id'],
  webhook: ['project_id'],
  delivery: ['id'],
  statistics_cell: ['id'],
  statistics_count: ['span', 'start', 'outcome', 'cell'],
} as const;
type Table = keyof typeof TABLES;
const TABLE_NAMES = Object.keys(TABLES) as [Table, ...Table[]];

const PAGE = 1000;

const valueSchema = z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.base64() })]);

export const rowItemSchema = z.strictObject({
  kind: z.literal('row'),
  table: z.enum(TABLE_NAMES),
  /** By the name of the column. */
  row: z.record(z.string().regex(/^[a-z][a-z_]*$/), valueSchema),
});
export type RowItem = z.output<typeof rowItemSchema>;

export async function* rowItemsOf({ read }: SqlDatabase): AsyncGenerator<RowItem> {
  for (const table of TABLE_NAMES) {
    const columns = TABLES[table];
    const key = columns.join(', ');
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    for (let after: SqlValue[] = []; ;) {
      const page = await read<Record<string, SqlValue>>(
        `select * from parapet.${table} ${after.length === 0 ? '' : `where (${key}) > (${places})`} order by ${key} limit ${PAGE}`,
        after,
      );
      for (const row of page) yield { kind: 'row', table, row: columnsOf(row) };
      if (page.length < PAGE) break;
      after = columns.map((column) => page.at(-1)?.[camelCase(column)] ?? null);
    }
  }
}

export async function insertRow(ask: Ask, { table, row }: RowItem): Promise<void> {
  const columns = Object.keys(row);
  const values = Object.values(row).map((value) =>
    value !== null && typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value,
  );
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  // Of these, servers on an empty database may have counted before.
  const twice = table === 'statistics_cell' || table === 'statistics_count' ? 'on conflict do nothing' : '';
  await ask(`insert into parapet.${table} (${columns.join(', ')}) values (${places}) ${twice}`, values);
}

function columnsOf(row: Record<string, SqlValue>): RowItem['row'] {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    ]),
  );
}
