/** PostgreSQL as a SqlDatabase. */
import type { Database, Sql, Transaction } from './database.js';
import { errorCodeOf } from '../../errors.js';
import { NotUnique, SQL_LOCKS, type Ask, type SqlDatabase } from '../sql/sql-database.js';

/** int8 and numeric, which the driver gives as text: what is counted here fits into a number. */
const AS_TEXT = new Set([20, 1700]);
/** unique_violation */
const NOT_UNIQUE = '23505';

export function postgresAsSql(database: Database): SqlDatabase {
  return {
    location: database.location,
    exists: () => true,
    read: (sql, values) => database.read((connection) => askingOn(connection)(sql, values)),
    change: (work, lock) =>
      database.change(async (transaction) => {
        if (lock !== undefined) await transaction`select pg_advisory_xact_lock(${SQL_LOCKS[lock]})`;
        return work(askingOn(transaction));
      }),
    // It is the store's.
    close: () => Promise.resolve(),
  };
}

export function askingOn(connection: Sql | Transaction): Ask {
  return async <Row extends object>(sql: string, values: Parameters<Ask>[1] = []) => {
    try {
      const rows = await connection.unsafe<Record<string, unknown>[]>(sql, [...values], { prepare: true });
      // Without rows there may be no columns either.
      const numbers = rows.length === 0 ? [] : rows.columns.filter(({ type }) => AS_TEXT.has(type));
      for (const row of rows) for (const { name } of numbers) row[name] = numberOf(row[name]);
      return [...rows] as unknown as Row[];
    } catch (error) {
      if (errorCodeOf(error) === NOT_UNIQUE) throw new NotUnique();
      throw error;
    }
  };
}

function numberOf(value: unknown): unknown {
  return typeof value === 'string' ? Number(value) : value;
}
