/**
 * Questions in the SQL that SQLite and PostgreSQL have in common, so that what is kept of people and decisions is written once: tables are named
 * `parapet.NAME`, values `$1`, `$2`; times are milliseconds since 1970 (`bigint`), truth is 0 or 1 (`integer`), objects are JSON in a `text`.
 */
export type SqlValue = string | number | null | Uint8Array;

/** @returns rows whose members are named in camel case. @throws NotUnique, or OperatorError where the database does not answer */
export type Ask = <Row extends object>(sql: string, values?: readonly SqlValue[]) => Promise<Row[]>;

export interface SqlDatabase {
  /** For messages to operators. */
  readonly location: string;
  /** False where nothing was ever kept, and to ask would make it. */
  exists(): boolean;
  /** A question that changes nothing. */
  readonly read: Ask;
  /**
   * One transaction: all of it counts when it resolves, nothing of it where it rejects.
   *
   * @param work asks nothing else meanwhile, and may be called again where nothing of it was done
   * @param lock those with the same one come one after another, over all servers
   * @throws what `work` throws; OperatorError where the database does not answer
   */
  change<Result>(work: (ask: Ask) => Promise<Result>, lock?: SqlLock): Promise<Result>;
  /** Opened anew by the next question. */
  close(): Promise<void>;
}

/** In PostgreSQL the number of an advisory lock; SQLite has one writer at a time anyway. */
export const SQL_LOCKS = {
  statistics: 7_271_002,
  audit: 7_271_003,
  reviews: 7_271_005,
  webhooks: 7_271_006,
  labels: 7_271_007,
} as const;
export type SqlLock = keyof typeof SQL_LOCKS;

/** Another row has the same value where only one may. */
export class NotUnique extends Error {
  override readonly name = 'NotUnique';
}

/** `started_at` → `startedAt` */
export function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
