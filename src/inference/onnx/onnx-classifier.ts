/** The ONNX runtime behind the classifier interface: a bounded queue in front of worker threads. Does no arithmetic itself. */
import { resolve } from 'node:path';
import { Piscina } from 'piscina';
import { ServiceError } from '../../errors.js';
import type { Classification, Classifier } from '../classifier.js';
import { MODEL_FILE, TOKENIZER_FILE, type Manifest } from '../manifest.js';
import { slicesOf } from '../windows.js';
import { due, FairQueue, type Due } from './fair-queue.js';
import type { Task, TaskFailure, TaskResult, WorkerSettings } from './task.js';

export interface OnnxClassifierOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly threads: number;
  /** Calls that may wait for a worker. */
  readonly maxQueue: number;
  /** Told why a worker died or a run failed; the message holds no text. */
  readonly onWorkerProblem?: (message: string) => void;
}

/** How much later than a text of no length a text is due. A long one of 10,000 characters lets those of the next 5 s pass. */
const DELAY_MS_PER_CHARACTER = 0.5;

const FIRST_RESTART_DELAY_MS = 50;
const MAX_RESTART_DELAY_MS = 10_000;

/** @throws ServiceError `model_not_ready` if a worker cannot load the model */
export async function createOnnxClassifier(options: OnnxClassifierOptions): Promise<Classifier> {
  const { folder, manifest, threads } = options;
  const settings: WorkerSettings = {
    modelPath: resolve(folder, MODEL_FILE),
    tokenizerPath: resolve(folder, TOKENIZER_FILE),
    window: manifest.window,
    labelCount: manifest.labels.length,
    sentimentCount: manifest.sentiments.length,
    abandoned: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  const pool = new Piscina<Task, TaskResult | TaskFailure>({
    filename: new URL('./worker.js', import.meta.url).href,
    workerData: settings,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // Without it a call that finds every worker busy goes back to the end of the queue, behind calls that came later.
    stricterFIFO: true,
    taskQueue: new FairQueue(),
    // On Linux, threads of one process can differ in priority: the HTTP thread gets a core at once although all of them compute.
    niceIncrement: 10,
  });
  let workerRestarts = 0;
  let closing: Promise<void> | undefined;
  /** Calls that run or wait. Counted here: piscina's own limit would refuse a call that is tried again. */
  const accepted = new Set<Promise<Classification>>();
  const report = (message: string): void => options.onWorkerProblem?.(message);
  // A worker that dies between calls: piscina starts another by itself.
  pool.on('error', (error: unknown) => {
    workerRestarts += 1;
    report(`a worker thread died: ${messageOf(error)}`);
  });

  // Piscina starts no worker in place of one that died before it was ready, and what waits would wait for ever: a call starts one.
  // Later and later while none succeeds: what cannot start (no memory left, say) would else be tried without a pause.
  let restartDelayMs = 0;
  pool.on('workerDestroy', () => {
    setTimeout(() => {
      if (closing === undefined && pool.threads.length < threads) run({ texts: [] }).catch(() => undefined);
    }, restartDelayMs).unref();
    restartDelayMs = Math.min(MAX_RESTART_DELAY_MS, Math.max(FIRST_RESTART_DELAY_MS, restartDelayMs * 2));
  });

  async function runOnce(task: Task & Partial<Due>): Promise<TaskResult> {
    const result = await pool.run(task);
    restartDelayMs = 0;
    if ('failure' in result) {
      if (Atomics.load(settings.abandoned, 0) !== 0) throw shuttingDown();
      report(`a run of the model failed: ${result.failure}`);
      throw new ServiceError('model_not_ready', 'The model could not judge the text. Try again.', {
        retryAfterSeconds: 1,
        cause: new Error(result.failure),
      });
    }
    return result;
  }

  async function run(task: Task & Partial<Due>): Promise<TaskResult> {
    try {
      return await runOnce(task);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      workerRestarts += 1;
      report(`a worker thread died during a run, which is tried once more: ${messageOf(error)}`);
    }
    try {
      return await runOnce(task);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      workerRestarts += 1;
      report(`a worker thread died again during a run, which is given up: ${messageOf(error)}`);
      throw new ServiceError(
        'model_not_ready',
        'The model could not judge the text: its worker died twice. Try again.',
        {
          retryAfterSeconds: 1,
          cause: error,
        },
      );
    }
  }

  /** Tokenises in one task and judges what does not fit into it in further ones, side by side where workers are free. */
  async function classifyNow(texts: readonly string[]): Promise<Classification> {
    const begun = performance.now();
    // Short texts pass long ones, but nothing waits for ever: a long text is only so much behind those that come after it.
    const turn = due(begun + DELAY_MS_PER_CHARACTER * texts.reduce((sum, text) => sum + text.length, 0));
    const first = await run({ texts, ...turn });
    const slices = slicesOf(first.rest, manifest.window.maxTokens);
    // All are waited for, also when one fails: the pool may only be ended when nothing computes.
    const outcomes = await Promise.allSettled(slices.map((windows) => run({ windows, ...turn })));
    const results = [first, ...outcomes.map(valueOf)];
    const judged = results.flatMap((result) => result.judged);
    const sum = (member: 'tokenizeMs' | 'inferMs'): number =>
      results.reduce((total, result) => total + result[member], 0);
    const [tokenizeMs, inferMs] = [sum('tokenizeMs'), sum('inferMs')];
    let next = 0;
    return {
      texts: first.windowCounts.map((count) => judged.slice(next, (next += count))),
      timings: { queueMs: Math.max(0, performance.now() - begun - tokenizeMs - inferMs), tokenizeMs, inferMs },
    };
  }

  async function accept(texts: readonly string[]): Promise<Classification> {
    if (closing !== undefined)
      throw new ServiceError('shutting_down', 'The service is shutting down.', { retryAfterSeconds: 1 });
    if (accepted.size >= threads + options.maxQueue) throw queueFull();
    const running = classifyNow(texts);
    accepted.add(running);
    try {
      return await running;
    } finally {
      accepted.delete(running);
    }
  }

  async function closeAfterwards(): Promise<void> {
    // Not pool.close(): with several workers it ends as soon as one of them is idle, in the middle of what the others do.
    // And not earlier: a thread that is ended while ONNX Runtime computes takes the whole process with it (Napi::Error, SIGABRT).
    await Promise.allSettled(accepted);
    await pool.destroy();
  }

  const classifier: Classifier = {
    manifest,
    classify: accept,
    stats: () => ({ waiting: Math.max(0, accepted.size - threads), workerRestarts }),
    close(how = 'answer') {
      if (how === 'abandon') Atomics.store(settings.abandoned, 0, 1);
      closing ??= closeAfterwards();
      return closing;
    },
  };

  // One run each loads the model into every worker and warms its kernels; a folder that cannot be served fails here.
  const warmUps = Array.from({ length: threads }, () => runOnce({ texts: ['warm-up'] }));
  try {
    await Promise.all(warmUps);
  } catch (error) {
    await Promise.allSettled(warmUps);
    closing = pool.destroy();
    await closing;
    throw error;
  }
  return classifier;
}

function valueOf<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down.', { retryAfterSeconds: 1 });
}

function queueFull(): ServiceError {
  return new ServiceError(
    'queue_full',
    'Too many texts are waiting to be judged. Try again after the time in Retry-After.',
    {
      retryAfterSeconds: 1,
    },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
