/** The store in a PostgreSQL database, which any number of servers share. */
import { createStatistics } from '../statistics/statistics.js';
import type { Store, StoreOptions } from '../store.js';
import { changesOf, changesSince } from './changes.js';
import { createPostgresUsage } from './usage.js';
import { openDatabase } from './database.js';
import { createFreshness } from './freshness.js';
import { createPostgresKeys } from './keys.js';
import { refuseOtherSchema } from './migrations.js';
import { createPostgresPassword } from './admin-password.js';
import { createPostgresPolicies } from './policies.js';
import { postgresAsSql } from './postgres-sql.js';
import { createPostgresProjects } from './projects.js';
import { createPostgresTransfer } from './transfer.js';

export interface PostgresStoreOptions extends StoreOptions {
  /** How long what is kept counts while the database is away; 0 for not at all. */
  readonly graceMs: number;
}

/** With the one on which each request asks for changes a server has five. */
const MOST_CONNECTIONS = 4;
const REFRESH_DEADLINE_MS = 1000;

/** @throws OperatorError where the database does not answer, or has another schema */
export async function openPostgresStore(
  databaseUrl: string,
  { graceMs, now = () => new Date(), onProblem = () => undefined, onRefresh }: PostgresStoreOptions,
): Promise<Store> {
  const database = openDatabase(databaseUrl, { maxConnections: MOST_CONNECTIONS });
  let wasAnswered = false;
  const freshness = createFreshness({
    location: database.location,
    changesSince: (since) => changesSince(database, since, REFRESH_DEADLINE_MS),
    graceMs,
    onAsked(seconds, problem) {
      onRefresh?.(seconds, problem === undefined);
      if (problem !== undefined && wasAnswered) {
        onProblem(`${problem} What is known of keys and policies counts for ${graceMs / 1000} s.`, 'keys');
      }
      wasAnswered = problem === undefined;
    },
  });
  const change = changesOf(database);
  const usage = createPostgresUsage({ database, now, onProblem: (message) => onProblem(message, 'keys') });
  const sql = postgresAsSql(database);
  const statistics = createStatistics({
    sql,
    now,
    onProblem: (message) => onProblem(message, 'statistics'),
  });

  async function free(): Promise<void> {
    freshness.close();
    await database.close();
  }

  try {
    await refuseOtherSchema(database);
    await freshness.refresh();
    freshness.refuseWhileAway();
  } catch (error) {
    await free();
    throw error;
  }

  return {
    location: database.location,
    keys: createPostgresKeys({ database, change, freshness, now }),
    projects: createPostgresProjects({ database, change, now }),
    policies: createPostgresPolicies({ database, change, freshness, now }),
    adminPassword: createPostgresPassword(database, change),
    sql,
    usage,
    statistics,
    ...createPostgresTransfer(database, change),
    refresh: () => freshness.refresh(),
    check: () => freshness.check(),
    async close() {
      await Promise.all([usage.flush(), statistics.flush()]);
      await free();
    },
  };
}
