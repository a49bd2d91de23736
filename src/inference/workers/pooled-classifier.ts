/**
 * A classifier on worker threads, whatever their runtime: limits what is accepted, puts a text's segments together, and ends in order.
 * Does no arithmetic itself.
 */
import { resolve } from 'node:path';
import { OperatorError } from '../../errors.js';
import type { Asker } from '../../asker.js';
import type { Classification, Classifier, Reading } from '../classifier.js';
import type { Manifest } from '../manifest.js';
import { shuttingDown } from '../refusals.js';
import { FRAME_TOKENS, joinParts, slicesOf } from '../runs.js';
import { createAdmission } from './admission.js';
import { createCall, type Call } from './call.js';
import type { CheckedFile } from './checked-files.js';
import { createDispatcher } from './dispatcher.js';
import { messageOf } from './failure.js';
import type { Backend, RunReading, Work, WorkResult } from './messages.js';
import { createModelRuns } from './model-runs.js';
import { createTermSharing } from './shared-terms.js';
import { createWorkerPool } from './worker-pool.js';

/** What a classifier of any runtime is created with. */
export interface RuntimeOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly threads: number;
  /** Calls that may wait for a worker. */
  readonly maxQueue: number;
  /** Names of steps of the normaliser that the workers leave out. */
  readonly withoutSteps?: readonly string[];
  /** Told why a worker died, a run failed or a backend was not taken; the message holds no text. */
  readonly onWorkerProblem?: (message: string) => void;
  /** In place of the runtime's own worker and the usual time; for tests. */
  readonly workerUrl?: URL;
  readonly stuckAfterMs?: number;
}

/** What a runtime's workers are. */
export interface WorkerKind<Run, Settings extends object> {
  /** The module, which answers portions with what `createWorkerLoop` makes (portion-port.ts). */
  readonly url: URL;
  /** Given to each worker, beside the settings that all runtimes have. */
  readonly settings: Settings;
  readonly tokensOf: (run: Run) => number;
  /** What the network reads of it: runs in which it is the same are judged once. */
  readonly readingOf: (run: Run) => string;
}

/** Where a run's segment lies in its text, in UTF-16 units. */
interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface PooledClassifier extends Classifier {
  /** Where the runtime has several. */
  readonly backend: Backend | undefined;
}

/** How much later than a text of no length a text is due. A long one of 10,000 characters lets those of the next 5 s pass. */
const DELAY_MS_PER_CHARACTER = 0.5;

/** Of English text; only what is put into one share or portion depends on it. */
const CHARACTERS_PER_TOKEN = 4;

function checkedFiles({ folder, manifest }: RuntimeOptions): CheckedFile[] {
  return Object.entries(manifest.files).map(([name, { sha256 }]) => ({ path: resolve(folder, name), sha256 }));
}

/** @throws OperatorError when the model cannot be loaded or does not answer */
export async function createPooledClassifier<Run extends Placed, Settings extends object>(
  options: RuntimeOptions,
  { url, settings, tokensOf, readingOf }: WorkerKind<Run, Settings>,
): Promise<PooledClassifier> {
  const { manifest, threads, withoutSteps } = options;
  const { maxTokens, maxTexts } = manifest.window;
  const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const shared = createTermSharing();
  let workerRestarts = 0;
  let closing: Promise<void> | undefined;
  /** Calls that run or wait. */
  const accepted = new Set<Promise<Classification>>();
  /** Parts of calls: one may go on for a while although another part has failed, and its call with it. */
  const underWay = new Set<Promise<WorkResult<Run>>>();
  const report = (message: string): void => options.onWorkerProblem?.(message);

  const pool = createWorkerPool<Run>({
    threads,
    workerUrl: options.workerUrl ?? url,
    settings: {
      ...settings,
      maxTokens,
      maxTexts,
      scripts: manifest.scripts,
      abandoned,
      files: checkedFiles(options),
      withoutSteps,
    },
    onLost(why) {
      workerRestarts += 1;
      report(`a worker thread ${why}`);
    },
    stuckAfterMs: options.stuckAfterMs,
  });
  const dispatcher = createDispatcher<Run>({ workers: threads, execute: (portion) => pool.execute(portion) });
  const admission = createAdmission(threads + options.maxQueue);
  const runs = createModelRuns({ dispatcher, isAbandoned: () => Atomics.load(abandoned, 0) !== 0, onProblem: report });

  /** Read in one piece of work, and judged in it if that is little; else in further ones, side by side where workers are free. */
  async function classifyNow(text: string, { project, signal, begin }: Call, asker: Asker): Promise<Classification> {
    const { terms, spans = false } = asker;
    const begun = performance.now();
    // Short texts pass long ones, but nothing waits for ever: a long text is only so much behind those that come after it.
    const dueMs = begun + DELAY_MS_PER_CHARACTER * text.length;
    const tokens = Math.min(maxTokens, text.length / CHARACTERS_PER_TOKEN + FRAME_TOKENS);
    const prepare = (): Work<Run> => {
      begin();
      return { text, spans, ...(terms && { terms: shared(terms) }) };
    };
    const read = await noted(runs.run(prepare, { project, dueMs, tokens }, signal));
    if (read.unjudged.length === 0) return classificationOf(read, read.judged, begun, read.inferMs);
    const different = new Map(read.unjudged.map((run) => [readingOf(run), run]));
    const results = await Promise.all(
      slicesOf([...different.values()], maxTokens, tokensOf).map((slice) =>
        noted(runs.run(() => ({ runs: slice }), { project, dueMs, tokens: sumOf(slice.map(tokensOf)) }, signal)),
      ),
    );
    const readings = [...different.keys()];
    const judged = new Map(
      results.flatMap((result) => result.judged).map((segment, index) => [readings[index], segment]),
    );
    const segments = read.unjudged.map((run): Reading => {
      const segment = judged.get(readingOf(run));
      if (segment === undefined) throw new Error('a worker judged fewer runs than it was given');
      return { ...segment, start: run.start, end: run.end };
    });
    const inferMs = read.inferMs + sumOf(results.map((result) => result.inferMs));
    return classificationOf(read, segments, begun, inferMs);
  }

  /** @param judged all runs of the text's segments, in order, or none where they were not read */
  function classificationOf(
    { whole, foreignLetters, blockedTerms, tokenizeMs }: WorkResult<Run>,
    judged: readonly Reading[],
    begun: number,
    inferMs: number,
  ): Classification {
    const queueMs = Math.max(0, performance.now() - begun - tokenizeMs - inferMs);
    return {
      ...readingsOf(whole, joinParts(judged)),
      foreignLetters,
      ...(blockedTerms && { blockedTerms }),
      runs: judged.length + (whole === undefined ? 0 : 1),
      timings: { queueMs, tokenizeMs, inferMs },
    };
  }

  function noted(part: Promise<WorkResult<Run>>): Promise<WorkResult<Run>> {
    const forget = (): unknown => underWay.delete(part);
    underWay.add(part);
    part.then(forget, forget);
    return part;
  }

  async function accept(text: string, asker: Asker = {}): Promise<Classification> {
    if (closing !== undefined) throw shuttingDown();
    const call = createCall(asker);
    admission.admit(call);
    const running = classifyNow(text, call, asker);
    accepted.add(running);
    try {
      return await running;
    } finally {
      accepted.delete(running);
      admission.leave(call);
      call.end();
    }
  }

  async function closeAfterwards(): Promise<void> {
    runs.end();
    await Promise.allSettled(accepted);
    await Promise.allSettled(underWay);
    // Also what nobody waits for any more: threads may only be ended when nothing computes.
    await dispatcher.idle();
    await pool.end();
  }

  const classifier: Classifier = {
    manifest,
    classify: accept,
    stats: () => ({ waiting: Math.max(0, admission.size - threads), workerRestarts }),
    isAnswering: () => runs.isAnswering(),
    close(how = 'answer') {
      if (how === 'abandon') Atomics.store(abandoned, 0, 1);
      closing ??= closeAfterwards();
      return closing;
    },
  };

  // One run each loads the model into every worker and warms its kernels; a folder that cannot be served fails here.
  const warmUps = Array.from({ length: threads }, () => runs.test());
  try {
    const [first] = await Promise.all(warmUps);
    return { ...classifier, backend: first?.backend };
  } catch (error) {
    await Promise.allSettled(warmUps);
    await classifier.close();
    throw new OperatorError(`The model in ${options.folder} cannot be served: ${reasonOf(error)}.`, { cause: error });
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Why a worker was lost is in the cause. */
function reasonOf(error: unknown): string {
  const isCaused = error instanceof Error && error.cause !== undefined;
  return isCaused ? `${error.message}: ${messageOf(error.cause)}` : messageOf(error);
}

function readingsOf(
  whole: RunReading | undefined,
  segments: readonly Reading[],
): Pick<Classification, 'readings' | 'whole' | 'segments'> {
  if (whole === undefined) return { readings: segments, segments };
  const { exited = false, highest, ...reading } = whole;
  if (exited) return { readings: [reading], segments: [reading] };
  if (highest === undefined) return { readings: segments, whole: reading, segments };
  return { readings: [{ ...reading, highest }], ...(segments.length > 0 && { segments }) };
}
