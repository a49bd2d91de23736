/**
 * A thread beside those that judge, which reads large bodies and does what of the dashboard's work grows with a text: the HTTP thread answers
 * others meanwhile. It starts with the first job and ends when it is idle. Knows no route.
 */
import { Worker } from 'node:worker_threads';
import type { TextReading } from '../dashboard/routes/admin-context.js';
import { ServiceError, serviceErrorFrom } from '../errors.js';
import type { ReadBody } from '../http/body/json-body.js';
import { nextTurn } from '../next-turn.js';
import type { Job } from './jobs.js';
import type { Outcome } from './worker.js';

export interface ReadingThread extends TextReading {
  readonly readBody: ReadBody;
  /** Gives up what is not done. */
  readonly close: () => Promise<void>;
}

export interface ReadingThreadOptions {
  /** Of the built code; for tests. */
  readonly workerUrl?: URL;
  readonly idleMs?: number;
  /** Of the jobs that wait, all together. */
  readonly mostWaitingBytes?: number;
}

const IDLE_MS = 60_000;
const MOST_WAITING_BYTES = 128 * 1024 * 1024;

interface Task {
  readonly job: Job;
  readonly bytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function createReadingThread({
  workerUrl = new URL('./worker.js', import.meta.url),
  idleMs = IDLE_MS,
  mostWaitingBytes = MOST_WAITING_BYTES,
}: ReadingThreadOptions = {}): ReadingThread {
  const waiting: Task[] = [];
  let waitingBytes = 0;
  let current: Task | undefined;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(workerUrl);
    // What waits for it has a connection of its own.
    worker.unref();
    worker.on('message', (outcome: Outcome) => {
      const done = current;
      next();
      if (done === undefined) return;
      if ('result' in outcome) done.resolve(outcome.result);
      else done.reject('problem' in outcome ? serviceErrorFrom(outcome.problem) : new Error(outcome.fault));
    });
    worker.once('error', (error) => lose(worker, error));
    worker.once('exit', () => lose(worker, new Error('it ended')));
    return worker;
  }

  /** What it had may be the reason; the others wait for another one. */
  function lose(worker: Worker, cause: unknown): void {
    if (thread !== worker) return;
    thread = undefined;
    current?.reject(new Error('the reading thread died', { cause }));
    next();
  }

  function next(): void {
    clearTimeout(idle);
    current = waiting.shift();
    if (current === undefined) {
      idle = setTimeout(() => void end(), idleMs).unref();
      return;
    }
    waitingBytes -= current.bytes;
    thread ??= start();
    const { job } = current;
    thread.postMessage(job, job.does === 'readBody' ? [job.bytes.buffer] : []);
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  function submit<Result>(job: Job, bytes: number): Promise<Result> {
    if (waitingBytes + bytes > mostWaitingBytes) {
      throw new ServiceError('queue_full', 'Too many large bodies are waiting to be read. Try again.', {
        retryAfterSeconds: 1,
      });
    }
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ job, bytes, resolve: resolve as (result: unknown) => void, reject });
      waitingBytes += bytes;
      if (current === undefined) next();
    });
  }

  return {
    async readBody(body, route) {
      // A buffer may be a part of a larger one, which cannot be handed over.
      const bytes = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
      return submit<object | undefined>({ does: 'readBody', bytes, route }, bytes.length);
    },
    normalise: async (text) => submit({ does: 'normalise', text }, text.length),
    checkTerms: async (text) => submit({ does: 'checkTerms', text }, text.length),
    async previewTexts(source) {
      // Up to 16 million characters are copied into a message, as they were when the body came: not in the same turn.
      await nextTurn();
      return submit({ does: 'previewTexts', ...source }, (source.lines ?? source.csv ?? '').length);
    },
    async labelledTexts(csv) {
      await nextTurn();
      return submit({ does: 'labelledTexts', csv }, csv.csv.length);
    },
    async close() {
      clearTimeout(idle);
      const left = [current, ...waiting.splice(0)];
      await end();
      for (const task of left) task?.reject(new Error('the service has stopped'));
    },
  };
}
