/** A database in a file, SQLite on a thread of its own, which starts with the first question. */
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, OperatorError } from '../../errors.js';
import { NotUnique, type Ask, type SqlDatabase } from './sql-database.js';
import type { SqliteAnswer, SqliteQuestion, SqliteThreadData } from './sqlite-worker.js';

export interface SqliteOptions {
  readonly file: string;
  /** See sqlite-worker.ts. */
  readonly ownedLike: string;
  /** Told when the folder cannot be written, so that all is in memory and gone when the process ends. */
  readonly onMemory?: ((message: string) => void) | undefined;
}

interface Waiting {
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

export function createSqliteDatabase(options: SqliteOptions): SqlDatabase {
  const { file, ownedLike, onMemory } = options;
  let thread: Thread | undefined;
  let lastId = 0;
  /** One transaction after another. */
  let turn: Promise<unknown> = Promise.resolve();

  function start(): Thread {
    const inMemory = !isWritable(file);
    if (inMemory)
      onMemory?.(`${file} cannot be written: what it would hold is in memory, and gone when the process ends.`);
    const data: SqliteThreadData = { file: inMemory ? undefined : file, ownedLike };
    // By the name that package.json gives it: the built one, for tests of the sources as well.
    const worker = new Worker(createRequire(import.meta.url).resolve('#sqlite-worker'), { workerData: data });
    const started: Thread = { worker, waiting: new Map() };
    worker.on('message', (answer: SqliteAnswer) => {
      const asked = started.waiting.get(answer.id);
      started.waiting.delete(answer.id);
      if (started.waiting.size === 0) worker.unref();
      if ('rows' in answer) asked?.resolve(answer.rows);
      else asked?.reject(answer.fault.notUnique ? new NotUnique() : failed(answer.fault.message));
    });
    worker.once('error', (error) => lose(started, error));
    worker.once('exit', () => lose(started, new Error('its thread ended')));
    return started;
  }

  function lose(lost: Thread, error: Error): void {
    if (thread === lost) thread = undefined;
    for (const { reject } of lost.waiting.values()) reject(failed(messageOf(error)));
    lost.waiting.clear();
  }

  function failed(why: string): OperatorError {
    return new OperatorError(`The database ${file} does not answer (${why}).`);
  }

  function post(writes: boolean, sql: string, values: SqliteQuestion['values'] = []): Promise<object[]> {
    thread ??= start();
    const { worker, waiting } = thread;
    const id = (lastId += 1);
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      // A question that is not answered yet keeps the process.
      worker.ref();
      worker.postMessage({ id, writes, sql, values } satisfies SqliteQuestion);
    });
  }

  const asking =
    (writes: boolean): Ask =>
    async <Row extends object>(sql: string, values?: SqliteQuestion['values']) =>
      (await post(writes, sql, values)) as Row[];

  async function transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    const ask = asking(true);
    await ask('begin immediate');
    try {
      const result = await work(ask);
      await ask('commit');
      return result;
    } catch (error) {
      await ask('rollback').catch(() => undefined);
      throw error;
    }
  }

  return {
    location: file,
    exists: () => thread !== undefined || existsSync(file),
    read: asking(false),
    change(work) {
      const result = turn.then(() => transaction(work));
      turn = result.catch(() => undefined);
      return result;
    },
    async close() {
      await turn;
      const closing = thread;
      thread = undefined;
      await closing?.worker.terminate();
    },
  };
}

/** A folder that is not there yet is made, as for the key file. */
function isWritable(file: string): boolean {
  let place = existsSync(file) ? file : dirname(file);
  while (!existsSync(place)) place = dirname(place);
  try {
    accessSync(place, constants.W_OK);
    // Beside it there will be others.
    accessSync(existsSync(dirname(file)) ? dirname(file) : place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
