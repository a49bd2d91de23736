/**
 * Worker threads of the TensorFlow.js runtime and who gets the next one that is free. Knows tasks, but not which of them belong to
 * one call.
 */
import { Piscina } from 'piscina';
import { ServiceError } from '../../errors.js';
import type { Task, TaskFailure, TaskResult, WorkerSettings } from './task.js';

export interface WorkersOptions {
  readonly settings: WorkerSettings;
  readonly threads: number;
  /** Told why a worker died or a run failed; the message holds no text. */
  readonly onProblem: (message: string) => void;
}

export interface RunOptions {
  /** What is due first is next. */
  readonly dueMs: number;
  /** Takes the task out of the queue. One that a worker has begun is finished all the same. */
  readonly signal?: AbortSignal | undefined;
}

export interface Workers {
  /** @throws RunFailure when the worker reports one, ServiceError `model_not_ready` when it dies twice, the signal's reason */
  run(task: Task, options: RunOptions): Promise<TaskResult>;
  restarts(): number;
  /** False from a failure on until a task succeeds; one is tried again and again. */
  isAnswering(): boolean;
  /** Waits until nothing runs or waits, then ends the threads. */
  end(): Promise<void>;
}

/** What a worker says of a run that it could not finish, although it lives. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
}

/** A task that waits. */
interface Turn {
  readonly dueMs: number;
  readonly settle: (begins: boolean) => void;
}

const FIRST_RESTART_DELAY_MS = 50;
const MAX_RESTART_DELAY_MS = 10_000;
const RETRIAL_DELAY_MS = 1000;

export function createWorkers({ settings, threads, onProblem }: WorkersOptions): Workers {
  const pool = new Piscina<Task, TaskResult | TaskFailure>({
    filename: new URL('./worker.js', import.meta.url).href,
    workerData: settings,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // On Linux, threads of one process can differ in priority: the HTTP thread gets a core at once although all of them compute.
    niceIncrement: 10,
  });
  const waiting: Turn[] = [];
  let running = 0;
  let restarts = 0;
  let ending = false;
  let destroyed = false;
  const idle = new Set<() => void>();

  // A worker that dies between tasks: piscina starts another by itself.
  pool.on('error', (error: unknown) => {
    restarts += 1;
    onProblem(`a worker thread died: ${messageOf(error)}`);
  });

  // Piscina starts no worker in place of one that died before it was ready: a task starts one. Later and later while none succeeds.
  let restartDelayMs = 0;
  pool.on('workerDestroy', () => {
    setTimeout(() => {
      if (!destroyed && pool.threads.length < threads) pool.run({ windows: [] }).catch(() => undefined);
    }, restartDelayMs).unref();
    restartDelayMs = Math.min(MAX_RESTART_DELAY_MS, Math.max(FIRST_RESTART_DELAY_MS, restartDelayMs * 2));
  });

  let answering = true;
  /** From a failure until the model has answered again. */
  let doubting = false;

  async function runOnce(task: Task): Promise<TaskResult> {
    try {
      const result = await pool.run(task);
      restartDelayMs = 0;
      if ('failure' in result) throw new RunFailure(result.failure);
      answering = true;
      return result;
    } catch (error) {
      answering = false;
      if (!doubting) tryLater();
      throw error;
    }
  }

  function tryLater(): void {
    doubting = !answering && !ending;
    if (!doubting) return;
    setTimeout(() => {
      if (answering || ending) doubting = false;
      else run({ texts: [''] }, { dueMs: 0 }).then(tryLater, tryLater);
    }, RETRIAL_DELAY_MS).unref();
  }

  async function runTwice(task: Task): Promise<TaskResult> {
    try {
      return await runOnce(task);
    } catch (error) {
      if (error instanceof RunFailure) throw error;
      restarts += 1;
      onProblem(`a worker thread died during a run, which is tried once more: ${messageOf(error)}`);
    }
    try {
      return await runOnce(task);
    } catch (error) {
      if (error instanceof RunFailure) throw error;
      restarts += 1;
      onProblem(`a worker thread died again during a run, which is given up: ${messageOf(error)}`);
      throw new ServiceError(
        'model_not_ready',
        'The model could not judge the text: its worker died twice. Try again.',
        { retryAfterSeconds: 1, cause: error },
      );
    }
  }

  function beginNext(): void {
    while (running < threads) {
      const turn = waiting.shift();
      if (turn === undefined) break;
      running += 1;
      turn.settle(true);
    }
    if (running === 0) for (const tell of idle) tell();
  }

  /** Resolves to true when a worker is free, and is then counted as running; to false when the signal aborts before that. */
  async function takeTurn({ dueMs, signal }: RunOptions): Promise<boolean> {
    let leave: () => void = () => undefined;
    const begins = await new Promise<boolean>((settle) => {
      const turn: Turn = { dueMs, settle };
      // Behind all that is due earlier or at the same time.
      waiting.splice(waiting.findLastIndex((other) => other.dueMs <= dueMs) + 1, 0, turn);
      leave = () => {
        const index = waiting.indexOf(turn);
        if (index !== -1) waiting.splice(index, 1);
        settle(false);
      };
      signal?.addEventListener('abort', leave, { once: true });
      beginNext();
    });
    signal?.removeEventListener('abort', leave);
    return begins;
  }

  async function run(task: Task, options: RunOptions): Promise<TaskResult> {
    const { signal } = options;
    signal?.throwIfAborted();
    const begins = await takeTurn(options);
    try {
      signal?.throwIfAborted();
      return await runTwice(task);
    } finally {
      if (begins) running -= 1;
      beginNext();
    }
  }

  return {
    run,
    restarts: () => restarts,
    isAnswering: () => answering,
    async end() {
      ending = true;
      if (running > 0 || waiting.length > 0) await new Promise<void>((resolve) => idle.add(resolve));
      destroyed = true;
      await pool.destroy();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
