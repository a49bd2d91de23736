/** The TensorFlow.js runtime behind the classifier interface: bounds what is accepted and puts windows together. Imports no TensorFlow. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { OperatorError, ServiceError } from '../../errors.js';
import type { Classification, Classifier } from '../classifier.js';
import type { Manifest } from '../manifest.js';
import { queueFull, shuttingDown } from '../refusals.js';
import type { Task, TaskResult, WorkerSettings } from './task.js';
import { createWorkers, RunFailure, type Workers } from './workers.js';

export interface ToxicityClassifierOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly threads: number;
  /** Calls that may wait for a worker. */
  readonly maxQueue: number;
  /** Told why a worker died, a run failed or a backend was not taken; the message holds no text. */
  readonly onWorkerProblem?: (message: string) => void;
}

/** Optional dependencies of this project: whoever serves another model need not have them. */
const PACKAGES = [
  '@tensorflow-models/toxicity',
  '@tensorflow-models/universal-sentence-encoder',
  '@tensorflow/tfjs-backend-wasm',
  '@tensorflow/tfjs-converter',
  '@tensorflow/tfjs-core',
] as const;

/** How much later than a text of no length a text is due: short texts pass long ones, but only so far. */
const DELAY_MS_PER_CHARACTER = 0.5;

/** @throws OperatorError when the packages of TensorFlow.js are not installed, no backend starts, or the model cannot be loaded */
export async function createToxicityClassifier(options: ToxicityClassifierOptions): Promise<Classifier> {
  const { folder, manifest, threads, maxQueue } = options;
  assertTensorflowInstalled(`${manifest.id}@${manifest.version}`);
  const report = (message: string): void => options.onWorkerProblem?.(message);
  const settings: WorkerSettings = {
    folder: resolve(folder),
    window: manifest.window,
    abandoned: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  const workers = createWorkers({ settings, threads, onProblem: report });
  const backend = await warmUp(workers, threads, folder, report);
  /** Calls that run or wait. */
  const accepted = new Set<Promise<Classification>>();
  let closing: Promise<void> | undefined;

  async function run(task: Task, dueMs: number, signal: AbortSignal | undefined): Promise<TaskResult> {
    try {
      return await workers.run(task, { dueMs, signal });
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      if (Atomics.load(settings.abandoned, 0) !== 0) throw shuttingDown();
      report(`a run of the model failed: ${error.message}`);
      throw new ServiceError('model_not_ready', 'The model could not judge the text. Try again.', {
        retryAfterSeconds: 1,
        cause: error,
      });
    }
  }

  /** Cuts in one task and judges what does not fit into it in further ones, side by side where workers are free. */
  async function judge(texts: readonly string[], signal: AbortSignal | undefined): Promise<Classification> {
    const begun = performance.now();
    const dueMs = begun + DELAY_MS_PER_CHARACTER * texts.reduce((sum, text) => sum + text.length, 0);
    const first = await run({ texts }, dueMs, signal);
    const others = await Promise.all(first.rest.map((windows) => run({ windows }, dueMs, signal)));
    const results = [first, ...others];
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

  return {
    manifest: { ...manifest, version: `${manifest.version}${manifest.version.includes('+') ? '.' : '+'}${backend}` },
    async classify(texts, signal) {
      signal?.throwIfAborted();
      if (closing !== undefined) throw shuttingDown();
      if (accepted.size >= threads + maxQueue) throw queueFull();
      const call = orAborted(judge(texts, signal), signal);
      accepted.add(call);
      try {
        return await call;
      } finally {
        accepted.delete(call);
      }
    },
    stats: () => ({ waiting: Math.max(0, accepted.size - threads), workerRestarts: workers.restarts() }),
    isAnswering: () => workers.isAnswering(),
    close(how = 'answer') {
      if (how === 'abandon') Atomics.store(settings.abandoned, 0, 1);
      closing ??= Promise.allSettled(accepted).then(() => workers.end());
      return closing;
    },
  };
}

/** @throws OperatorError that names the first package that is missing. Imports none of them. */
export function assertTensorflowInstalled(model: string): void {
  const { resolve: find } = createRequire(import.meta.url);
  for (const name of PACKAGES) {
    try {
      find(name);
    } catch (error) {
      throw new OperatorError(
        `The model ${model} runs on TensorFlow.js, and the optional package ${name} is not installed. Install with "npm ci" (without --omit=optional), or set MODEL_DIR to another model.`,
        { cause: error },
      );
    }
  }
}

/** One run each loads the model into every worker; a folder that cannot be served fails here. */
async function warmUp(
  workers: Workers,
  threads: number,
  folder: string,
  report: (message: string) => void,
): Promise<string> {
  try {
    const results = await Promise.all(Array.from({ length: threads }, () => workers.run({ texts: [] }, { dueMs: 0 })));
    const [first] = results;
    if (first === undefined) throw new Error('there is no worker');
    if (first.backendProblem !== undefined)
      report(`the slower backend ${first.backend} is used: ${first.backendProblem}`);
    return first.backend;
  } catch (error) {
    await workers.end();
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The model in ${folder} cannot be served: ${reason}.`, { cause: error });
  }
}

/** Settles as soon as the signal aborts, although a worker may still be busy with a window of the call. */
async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  let abort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (abort = resolve));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted]);
    signal.throwIfAborted();
    return await work;
  } finally {
    signal.removeEventListener('abort', abort);
    // Nobody listens to it any more where the signal came first.
    work.catch(() => undefined);
  }
}
