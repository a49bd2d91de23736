/** Counters of limits in PostgreSQL, by rate-limiter-flexible, on connections of their own: no question of the store waits behind them. */
import { RateLimiterPostgres, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { COUNTER_OPTIONS, type Counter } from '../http/auth/rate-limit.js';
import { openDatabase } from '../storage/postgres/database.js';
import { createAsking, type Asking, type OnProblem } from './asking.js';

export interface PostgresCounters {
  readonly asking: Asking;
  /** @param insurance counts while the database does not answer */
  create(prefix: string, insurance: RateLimiterAbstract): Counter;
  close(): Promise<void>;
}

const CONNECTIONS = 4;
/** After this a connection that says nothing is given up. No request waits so long: `asking` has a deadline of its own. */
const SILENCE_MS = 1000;

/** What rate-limiter-flexible asks of a client of the package pg. */
interface Query {
  readonly text: string;
  readonly values: (string | number | null)[];
}

/** Does not connect. */
export function createPostgresCounters(databaseUrl: string, onProblem: OnProblem): PostgresCounters {
  const asking = createAsking(onProblem);
  const database = openDatabase(databaseUrl, { maxConnections: CONNECTIONS });
  // Asked again where the connection breaks: what is then counted twice is one request.
  const query = async ({ text, values }: Query) => {
    const rows = await asking.ask(() =>
      database.read((sql) => sql.unsafe(text, values, { prepare: true }), SILENCE_MS),
    );
    return { rows, rowCount: rows.count };
  };
  return {
    asking,
    create: (prefix, insurance) =>
      new RateLimiterPostgres({
        ...COUNTER_OPTIONS,
        keyPrefix: prefix,
        storeClient: { query },
        storeType: 'client',
        schemaName: 'parapet',
        tableName: 'rate_limit',
        tableCreated: true,
        insuranceLimiter: insurance,
      }),
    close: () => database.close(),
  };
}
