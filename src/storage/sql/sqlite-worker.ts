/** The thread on which SQLite works: a question may take as long as its disk does. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
// `node:sqlite` for versions of Node that do not have it.
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import { camelCase, type SqlValue } from './sql-database.js';
import { inSqlite, migrate } from './sqlite-migrations.js';

export interface SqliteThreadData {
  /** Undefined: in memory. */
  readonly file: string | undefined;
  /** The file whose owner it gets where it is made: a server must be able to use what `sudo npx parapet` has made. */
  readonly ownedLike: string;
}

export interface SqliteQuestion {
  readonly id: number;
  /** In a transaction that writes. */
  readonly writes: boolean;
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export type SqliteAnswer =
  { readonly id: number; readonly rows: object[] } | { readonly id: number; readonly fault: SqliteFault };

export interface SqliteFault {
  readonly notUnique: boolean;
  /** Holds no value. */
  readonly message: string;
}

/** How long another process may hold it. */
const BUSY_MS = 5000;
const OWN_MODE = 0o600;
const MOST_STATEMENTS = 200;
/** By its words: the module has no code of it where a prepared statement fails. */
const NOT_UNIQUE = 'UNIQUE constraint failed';

class Connection {
  readonly database: InstanceType<typeof DatabaseSync>;
  readonly #statements = new LRUCache<string, StatementSyncInstance>({ max: MOST_STATEMENTS });

  constructor(file: string) {
    this.database = new DatabaseSync(file);
    for (const pragma of [
      `busy_timeout = ${BUSY_MS}`,
      'journal_mode = wal',
      'synchronous = full',
      'foreign_keys = on',
      // What is deleted is overwritten, and not only forgotten.
      'secure_delete = on',
    ]) {
      this.database.exec(`pragma ${pragma}`);
    }
  }

  ask(sql: string, values: readonly SqlValue[]): object[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(inSqlite(sql));
      this.#statements.set(sql, statement);
    }
    return statement.all(...values).map((row) => named(row as Record<string, unknown>));
  }
}

function named(row: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [camelCase(column), value]));
}

async function open({ file, ownedLike }: SqliteThreadData): Promise<{ reader: Connection; writer: Connection }> {
  if (file === undefined) {
    const only = new Connection(':memory:');
    await migrate(only.database, 'The database');
    return { reader: only, writer: only };
  }
  mkdirSync(dirname(file), { recursive: true });
  const isNew = !existsSync(file);
  // Nobody else's to read. SQLite gives what it makes beside it the rights of the file.
  if (isNew) closeSync(openSync(file, 'a', OWN_MODE));
  const writer = new Connection(file);
  await migrate(writer.database, file);
  if (isNew) await ownLike(file, ownedLike);
  return { reader: new Connection(file), writer };
}

async function ownLike(file: string, other: string): Promise<void> {
  const owner = await stat(other).catch(() => undefined);
  if (owner !== undefined && owner.uid !== process.getuid?.())
    await chown(file, owner.uid, owner.gid).catch(() => undefined);
}

function faultOf(error: unknown): SqliteFault {
  // SQLite names tables and columns, and no value.
  const message = error instanceof Error ? error.message : 'unknown';
  return { notUnique: message.startsWith(NOT_UNIQUE), message };
}

const opening = open(workerData as SqliteThreadData);

parentPort?.on('message', ({ id, writes, sql, values }: SqliteQuestion) => {
  void opening
    .then(({ reader, writer }): SqliteAnswer => ({ id, rows: (writes ? writer : reader).ask(sql, values) }))
    .catch((error: unknown): SqliteAnswer => ({ id, fault: faultOf(error) }))
    .then((answer) => parentPort?.postMessage(answer));
});
