/** The ONNX runtime behind the classifier interface: limits what waits, and puts a text's windows together. Does no arithmetic itself. */
import { setMaxListeners } from 'node:events';
import { resolve } from 'node:path';
import { ServiceError } from '../../errors.js';
import type { Classification, Classifier } from '../classifier.js';
import { MODEL_FILE, TOKENIZER_FILE, type Manifest } from '../manifest.js';
import { FRAME_TOKENS, slicesOf, type Window } from '../windows.js';
import { queueFull, shuttingDown } from '../refusals.js';
import { createDispatcher, WorkerLostError, type Turn } from './dispatcher.js';
import type { Work, WorkResult } from './task.js';
import { createWorkerPool } from './worker-pool.js';

export interface OnnxClassifierOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly threads: number;
  /** Calls that may wait for a worker. */
  readonly maxQueue: number;
  /** Told why a worker died or a run failed; the message holds no text. */
  readonly onWorkerProblem?: (message: string) => void;
  /** See WorkerPoolOptions; for tests. */
  readonly workerUrl?: URL;
  readonly stuckAfterMs?: number;
}

/** How much later than a text of no length a text is due. A long one of 10,000 characters lets those of the next 5 s pass. */
const DELAY_MS_PER_CHARACTER = 0.5;

/** Of English text; only what is put into one portion depends on it. */
const CHARACTERS_PER_TOKEN = 4;

/** How soon what fails is tried again while nobody asks. */
const SELF_TEST_INTERVAL_MS = 1000;
const SELF_TEST_TEXT = 'Parapet is ready.';

/** @throws ServiceError `model_not_ready` if a worker cannot load the model */
export async function createOnnxClassifier(options: OnnxClassifierOptions): Promise<Classifier> {
  const { folder, manifest, threads } = options;
  const { maxTokens } = manifest.window;
  const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let workerRestarts = 0;
  let closing: Promise<void> | undefined;
  /** Calls that run or wait. */
  const accepted = new Set<Promise<Classification>>();
  const report = (message: string): void => options.onWorkerProblem?.(message);

  const pool = createWorkerPool({
    threads,
    settings: {
      modelPath: resolve(folder, MODEL_FILE),
      tokenizerPath: resolve(folder, TOKENIZER_FILE),
      window: manifest.window,
      labelCount: manifest.labels.length,
      sentimentCount: manifest.sentiments.length,
      abandoned,
    },
    onLost(why) {
      workerRestarts += 1;
      report(`a worker thread ${why}`);
    },
    workerUrl: options.workerUrl,
    stuckAfterMs: options.stuckAfterMs,
  });
  const dispatcher = createDispatcher({ workers: threads, execute: (portion) => pool.execute(portion) });

  // What fails is tried again by itself: a balancer sends nothing to a service that says it is unhealthy.
  let isFailing = false;
  let selfTest: NodeJS.Timeout | undefined;
  function noteFailure(): void {
    isFailing = true;
    if (closing !== undefined) return;
    selfTest ??= setTimeout(() => {
      selfTest = undefined;
      runAtOnce(SELF_TEST_TEXT).catch(() => undefined);
    }, SELF_TEST_INTERVAL_MS).unref();
  }

  async function run(work: Work, turn: Turn, signal?: AbortSignal): Promise<WorkResult> {
    try {
      const result = await dispatcher.submit(work, turn, signal);
      if (!('failure' in result)) {
        isFailing = false;
        return result;
      }
      if (Atomics.load(abandoned, 0) !== 0) throw shuttingDown();
      noteFailure();
      report(`a run of the model failed: ${result.failure}`);
      throw notReady('The model could not judge the text. Try again.', new Error(result.failure));
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error;
      noteFailure();
      report('a run was given up: its worker was lost twice');
      throw notReady('The model could not judge the text: its worker died twice. Try again.', error);
    }
  }

  const runAtOnce = (text: string): Promise<WorkResult> =>
    run({ texts: [text] }, { dueMs: performance.now(), tokens: 0 });

  /** Tokenises in one piece of work and judges what does not fit into it in further ones, side by side where workers are free. */
  async function classifyNow(texts: readonly string[], signal?: AbortSignal): Promise<Classification> {
    const begun = performance.now();
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    // Short texts pass long ones, but nothing waits for ever: a long text is only so much behind those that come after it.
    const dueMs = begun + DELAY_MS_PER_CHARACTER * characters;
    const tokens = Math.min(maxTokens, characters / CHARACTERS_PER_TOKEN + FRAME_TOKENS * texts.length);
    const first = await run({ texts }, { dueMs, tokens }, signal);
    const slices = slicesOf(first.rest, maxTokens);
    const results = [
      first,
      ...(await Promise.all(slices.map((windows) => run({ windows }, { dueMs, tokens: tokensOf(windows) }, signal)))),
    ];
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

  async function accept(texts: readonly string[], signal?: AbortSignal): Promise<Classification> {
    if (closing !== undefined) throw shuttingDown();
    // Each window of a long text listens; Node takes more than ten listeners for a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    if (accepted.size >= threads + options.maxQueue) throw queueFull();
    const running = classifyNow(texts, signal);
    accepted.add(running);
    try {
      return await running;
    } finally {
      accepted.delete(running);
    }
  }

  async function closeAfterwards(): Promise<void> {
    clearTimeout(selfTest);
    await Promise.allSettled(accepted);
    // Also what nobody waits for any more: threads may only be ended when nothing computes.
    await dispatcher.idle();
    await pool.end();
  }

  const classifier: Classifier = {
    manifest,
    classify: accept,
    stats: () => ({ waiting: Math.max(0, accepted.size - threads), workerRestarts }),
    isAnswering: () => !isFailing,
    close(how = 'answer') {
      if (how === 'abandon') Atomics.store(abandoned, 0, 1);
      closing ??= closeAfterwards();
      return closing;
    },
  };

  // One run each loads the model into every worker and warms its kernels; a folder that cannot be served fails here.
  const warmUps = Array.from({ length: threads }, () => runAtOnce('warm-up'));
  try {
    await Promise.all(warmUps);
  } catch (error) {
    await Promise.allSettled(warmUps);
    await classifier.close();
    throw error;
  }
  return classifier;
}

function tokensOf(windows: readonly Window[]): number {
  return windows.reduce((sum, window) => sum + window.ids.length + FRAME_TOKENS, 0);
}

function notReady(detail: string, cause: Error): ServiceError {
  return new ServiceError('model_not_ready', detail, { retryAfterSeconds: 1, cause });
}
