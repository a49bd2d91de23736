/**
 * Questions to PostgreSQL, each with an end: no answer of a server that hangs is waited for beyond its deadline, and the server that takes writes is
 * found among several. Knows no table.
 */
import { connect as openSocket, type Socket } from 'node:net';
import postgres from 'postgres';
import { errorCodeOf, OperatorError } from '../../errors.js';
import { addressOf, type Host } from './address.js';

export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

/** The question was not answered; a change may have been made all the same. The message is fit for operators. */
export class DatabaseAway extends OperatorError {}

export interface DatabaseOptions {
  readonly maxConnections: number;
}

export interface Database {
  /** For operators, without password. */
  readonly location: string;
  /**
   * Of a question that may be asked twice.
   *
   * @throws DatabaseAway
   */
  read<Result>(ask: (sql: Sql) => Promise<Result>, deadlineMs?: number): Promise<Result>;
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
const CONNECT_TIMEOUT_SECONDS = 1;
const RECONNECT_AFTER_SECONDS = 0.1;
const CLOSE_TIMEOUT_SECONDS = 1;

/** Does not connect. @throws OperatorError where the address is none */
export function openDatabase(databaseUrl: string, { maxConnections }: DatabaseOptions): Database {
  const { hosts, driverUrl, shown } = addressOf(databaseUrl);
  let chosen = 0;
  const sockets = new Set<Socket>();

  const options = {
    // Else the driver would try several hosts by itself, without a pause and without an end.
    host: 'localhost',
    max: maxConnections,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: () => RECONNECT_AFTER_SECONDS,
    fetch_types: false,
    // A standby would answer with what was so a while ago.
    target_session_attrs: 'read-write' as const,
    transform: { undefined: null, column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: { application_name: 'parapet' },
    onnotice: () => undefined,
    // Known to the driver, and not to its types.
    socket: () => openTo(hosts[chosen % hosts.length] ?? hosts[0]),
  };
  const sql = postgres(driverUrl, options);

  function openTo({ host, port }: Host): Socket {
    const socket = host.startsWith('/') ? openSocket(`${host}/.s.PGSQL.${port}`) : openSocket(port, host);
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
    // The driver takes a clean end while it signs in for a reason to try again at once, for ever.
    socket.once('end', () => socket.destroy(closedConnection()));
    // The driver looks for the name of the certificate there.
    return Object.assign(socket, { host, port });
  }

  /** A connection that hangs would else hold its questions for as long as TCP does, a quarter of an hour. */
  function giveUpConnections(): void {
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.destroy(closedConnection());
    }
  }

  async function within<Result>(
    deadlineMs: number,
    ask: (isOver: () => boolean) => Promise<Result>,
    mayRepeat: (code: string) => boolean,
  ): Promise<Result> {
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
    const answer = askHosts(() => ask(() => state.isOver), mayRepeat);
    try {
      return await Promise.race([answer, deadline]);
    } finally {
      clearTimeout(timer);
      if (state.isOver) {
        chosen += 1;
        giveUpConnections();
      }
    }
  }

  /** At least twice: the first connection may be one that a restart has ended. */
  async function askHosts<Result>(ask: () => Promise<Result>, mayRepeat: (code: string) => boolean): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const asked = chosen;
      try {
        return await ask();
      } catch (error) {
        const code = errorCodeOf(error);
        if (code === undefined || error instanceof OperatorError) throw error;
        if (isOfServer(code) && chosen === asked) chosen += 1;
        if (code === TAKES_NO_WRITES) giveUpConnections();
        if (attempt > hosts.length || !mayRepeat(code)) throw new DatabaseAway(failureOf(shown, code), { cause: code });
      }
    }
  }

  return {
    location: shown,
    read: (ask, deadlineMs = READ_DEADLINE_MS) => within(deadlineMs, () => ask(sql), isOfServer),
    change: (work, deadlineMs = CHANGE_DEADLINE_MS) =>
      within(
        deadlineMs,
        async (isOver) => {
          const result = await sql.begin(async (transaction) => {
            if (isOver()) throw new DatabaseAway('The deadline has passed.');
            await transaction.unsafe(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
            return { of: await work(transaction) };
          });
          return result.of;
        },
        (code) => NEVER_BEGUN.has(code),
      ),
    async close() {
      await sql.end({ timeout: CLOSE_TIMEOUT_SECONDS });
      giveUpConnections();
    },
  };
}

/** The server was not reached, or took no work: `CONNECTION_DESTROYED` is a server that takes no writes. */
const NEVER_BEGUN = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'CONNECT_TIMEOUT',
  'CONNECTION_DESTROYED',
  // cannot_connect_now: it starts, stops or recovers.
  '57P03',
  // too_many_connections
  '53300',
]);

/** read_only_sql_transaction */
const TAKES_NO_WRITES = '25006';

function closedConnection(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'CONNECTION_CLOSED' });
}

/** Another server, or another connection, may answer. */
function isOfServer(code: string): boolean {
  // 08: connection exceptions. 57P01 and 57P02: it was shut down, or crashed.
  return NEVER_BEGUN.has(code) || code === TAKES_NO_WRITES || /^(?:08...|57P0[12]|CONNECTION_\w+|E[A-Z]+)$/.test(code);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has a name that is not known',
  CONNECT_TIMEOUT: 'gave no answer to a connection',
  CONNECTION_CLOSED: 'closed the connection',
  CONNECTION_DESTROYED: 'takes no writes, or closed the connection',
  [TAKES_NO_WRITES]: 'takes no writes',
  '28P01': 'refuses the password of DATABASE_URL',
  '28000': 'refuses the user of DATABASE_URL',
  '3D000': 'has no such database',
  '3F000': 'has no schema of Parapet: run "npx parapet migrate"',
  '42P01': 'has no schema of Parapet: run "npx parapet migrate"',
  '42501': 'gives the user of DATABASE_URL too few rights',
  '53100': 'has a full disk',
  '53300': 'has no connection left',
  '57014': 'took too long and was told to stop',
  '57P01': 'was shut down',
  '57P03': 'is starting or stopping',
};

/** Of the driver's message nothing: it can hold a value of a row, or a part of the address. */
function failureOf(shown: string, code: string): string {
  return `${shown} ${REASONS[code] ?? 'failed'} (${code}).`;
}
