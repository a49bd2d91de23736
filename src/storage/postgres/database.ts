/**
 * Questions to PostgreSQL, each with an end: no answer of a server that hangs is waited for beyond its deadline, and the server that takes writes is
 * found among several. Knows no table.
 */
import type postgres from 'postgres';
import { errorCodeOf, OperatorError } from '../../errors.js';
import { addressOf } from './address.js';
import { createChoice, openConnections, type Connections, type Sql } from './connections.js';
import { DatabaseAway, failureOf, isNeverBegun, isOfServer, TAKES_NO_WRITES } from './failures.js';

export type { Sql };
export type Transaction = postgres.TransactionSql;

export interface Database {
  /** For operators, without password. */
  readonly location: string;
  /**
   * Of a question that may be asked twice.
   *
   * @throws DatabaseAway
   */
  read<Result>(ask: (sql: Sql) => Promise<Result>, deadlineMs?: number): Promise<Result>;
  /** As `read`, on a connection of its own: nothing that is slow stands before it. */
  readAhead<Result>(ask: (sql: Sql) => Promise<Result>, deadlineMs?: number): Promise<Result>;
  /**
   * @param work may be called again where nothing of it was done; its own errors roll back
   * @throws DatabaseAway, or what `work` throws
   */
  change<Result>(work: (sql: Transaction) => Promise<Result>, deadlineMs?: number): Promise<Result>;
  close(): Promise<void>;
}

const READ_DEADLINE_MS = 5_000;
const CHANGE_DEADLINE_MS = 10_000;
/** Of each statement in a change: the server gives up before we do, and says why. */
const STATEMENT_TIMEOUT_MS = 8_000;

/** Connects with the first question. @throws OperatorError where the address is none */
export function openDatabase(databaseUrl: string, { maxConnections }: { readonly maxConnections: number }): Database {
  const address = addressOf(databaseUrl);
  const { hosts, shown } = address;
  const choice = createChoice();
  const pool = openConnections(address, choice, maxConnections);
  const ahead = openConnections(address, choice, 1);

  /** @param ask is told whether the deadline has passed */
  async function within<Result>(
    connections: Connections,
    deadlineMs: number,
    ask: (isOver: () => boolean) => Promise<Result>,
    mayRepeat: (code: string) => boolean,
  ): Promise<Result> {
    const asked = choice.current();
    const state = { isOver: false };
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // What has arrived while this thread was busy counts.
        setImmediate(() => {
          state.isOver = true;
          reject(new DatabaseAway(`${shown} gave no answer within ${deadlineMs / 1000} s.`));
        });
      }, deadlineMs);
    });
    try {
      const isOver = (): boolean => state.isOver;
      const mayRepeatNow = (code: string): boolean => !state.isOver && mayRepeat(code);
      return await Promise.race([askServers(connections, () => ask(isOver), mayRepeatNow), deadline]);
    } finally {
      clearTimeout(timer);
      if (state.isOver) {
        choice.leave(asked);
        connections.giveUp();
      }
    }
  }

  /** At least twice: the first connection may be one that a restart has ended. */
  async function askServers<Result>(
    connections: Connections,
    ask: () => Promise<Result>,
    mayRepeat: (code: string) => boolean,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const asked = choice.current();
      try {
        return await ask();
      } catch (error) {
        const code = errorCodeOf(error);
        if (code === undefined || error instanceof OperatorError) throw error;
        if (isOfServer(code)) choice.leave(asked);
        if (code === TAKES_NO_WRITES) connections.giveUp();
        if (attempt > hosts.length || !mayRepeat(code)) throw new DatabaseAway(failureOf(shown, code), { cause: code });
      }
    }
  }

  return {
    location: shown,
    read: (ask, deadlineMs = READ_DEADLINE_MS) => within(pool, deadlineMs, () => ask(pool.sql()), isOfServer),
    readAhead: (ask, deadlineMs = READ_DEADLINE_MS) => within(ahead, deadlineMs, () => ask(ahead.sql()), isOfServer),
    change: (work, deadlineMs = CHANGE_DEADLINE_MS) =>
      within(
        pool,
        deadlineMs,
        async (isOver) => {
          const result = await pool.sql().begin(async (sql) => {
            if (isOver()) throw new DatabaseAway('The deadline has passed.');
            await sql.unsafe(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
            return { of: await work(sql) };
          });
          return result.of;
        },
        isNeverBegun,
      ),
    async close() {
      await Promise.all([pool.close(), ahead.close()]);
    },
  };
}
