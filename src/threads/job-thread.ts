/** A thread that does one job after another: it starts with the first and ends when it is idle. Knows no job. */
import { Worker } from 'node:worker_threads';
import { ServiceError, serviceErrorFrom, type ProblemData } from '../errors.js';

/** What the thread answers to each job. */
export type JobOutcome =
  | { readonly result: unknown }
  | { readonly problem: ProblemData }
  /** Holds nothing of a text. */
  | { readonly fault: string };

export interface JobThread<Job> {
  /**
   * @param bytes about how much memory the job takes while it waits
   * @param transfer what is handed over and not copied
   * @throws ServiceError `queue_full` where too much is waiting; what the job says; Error when the thread died with it
   */
  readonly submit: <Result>(job: Job, bytes: number, transfer?: readonly ArrayBuffer[]) => Promise<Result>;
  /** Gives up what is not done. */
  readonly close: () => Promise<void>;
}

export interface JobThreadOptions<Job> {
  /** Of the built code. */
  readonly workerUrl: URL;
  readonly idleMs: number;
  /** Of the jobs that wait, all together. */
  readonly mostWaitingBytes: number;
  /** What such jobs read, in the plural: for the caller who is refused. */
  readonly namesOf: (job: Job) => string;
}

interface Task<Job> {
  readonly job: Job;
  readonly bytes: number;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function createJobThread<Job>(options: JobThreadOptions<Job>): JobThread<Job> {
  const { workerUrl, idleMs, mostWaitingBytes, namesOf } = options;
  const waiting: Task<Job>[] = [];
  let waitingBytes = 0;
  let current: Task<Job> | undefined;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(workerUrl);
    worker.on('message', (outcome: JobOutcome) => {
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
    current?.reject(new Error('the thread of the job died', { cause }));
    next();
  }

  function next(): void {
    clearTimeout(idle);
    current = waiting.shift();
    if (current === undefined) {
      // Keeps no process that has nothing else to do.
      thread?.unref();
      idle = setTimeout(() => void end(), idleMs).unref();
      return;
    }
    waitingBytes -= current.bytes;
    thread ??= start();
    thread.ref();
    thread.postMessage(current.job, current.transfer);
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    submit(job, bytes, transfer = []) {
      if (waitingBytes + bytes > mostWaitingBytes) {
        throw new ServiceError('queue_full', `Too many ${namesOf(job)} are waiting to be read. Try again.`, {
          retryAfterSeconds: 1,
        });
      }
      return new Promise((resolve, reject) => {
        waiting.push({ job, bytes, transfer, resolve: resolve as (result: unknown) => void, reject });
        waitingBytes += bytes;
        if (current === undefined) next();
      });
    },
    async close() {
      clearTimeout(idle);
      const left = [current, ...waiting.splice(0)];
      await end();
      for (const task of left) task?.reject(new Error('the service has stopped'));
    },
  };
}
