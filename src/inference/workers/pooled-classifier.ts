/**
 * A classifier on worker threads, whatever their runtime: limits what is accepted, puts a text's windows together, and ends in order.
 * Does no arithmetic itself.
 */
import { resolve } from 'node:path';
import { OperatorError } from '../../errors.js';
import type { Classification, Classifier, ClassifyOptions } from '../classifier.js';
import type { Manifest } from '../manifest.js';
import { shuttingDown } from '../refusals.js';
import { FRAME_TOKENS, slicesOf } from '../windows.js';
import { createAdmission } from './admission.js';
import { createCall } from './call.js';
import type { CheckedFile } from './checked-files.js';
import { createDispatcher, type Turn } from './dispatcher.js';
import { messageOf } from './failure.js';
import type { Backend, TextsToCut, WorkResult } from './messages.js';
import { createModelRuns } from './model-runs.js';
import { createWorkerPool } from './worker-pool.js';

/** What a classifier of any runtime is created with. */
export interface RuntimeOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly threads: number;
  /** Calls that may wait for a worker. */
  readonly maxQueue: number;
  /** Told why a worker died, a run failed or a backend was not taken; the message holds no text. */
  readonly onWorkerProblem?: (message: string) => void;
  /** In place of the runtime's own worker and the usual time; for tests. */
  readonly workerUrl?: URL;
  readonly stuckAfterMs?: number;
}

/** What a runtime's workers are. */
export interface WorkerKind<Window, Settings extends object> {
  /** The module, whose default export is what `createWorkerLoop` makes. */
  readonly url: URL;
  /** Given to each worker, beside the settings that all runtimes have. */
  readonly settings: Settings;
  readonly tokensOf: (window: Window) => number;
  /** What the model reads of it: windows in which it is the same are judged once. */
  readonly readingOf: (window: Window) => string;
}

/** Where a window lies in its text, in UTF-16 units. */
interface Placed {
  readonly start: number;
  readonly end: number;
}

/** All windows of some texts. */
type Judged = Pick<WorkResult<never>, 'judged' | 'windowCounts' | 'tokenizeMs' | 'inferMs'>;

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
export async function createPooledClassifier<Window extends Placed, Settings extends object>(
  options: RuntimeOptions,
  { url, settings, tokensOf, readingOf }: WorkerKind<Window, Settings>,
): Promise<PooledClassifier> {
  const { manifest, threads } = options;
  const { maxTokens } = manifest.window;
  const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let workerRestarts = 0;
  let closing: Promise<void> | undefined;
  /** Calls that run or wait. */
  const accepted = new Set<Promise<Classification>>();
  /** Parts of calls: one may go on for a while although another part has failed, and its call with it. */
  const underWay = new Set<Promise<Judged>>();
  const report = (message: string): void => options.onWorkerProblem?.(message);

  const pool = createWorkerPool<Window>({
    threads,
    workerUrl: options.workerUrl ?? url,
    settings: { ...settings, window: manifest.window, abandoned, files: checkedFiles(options) },
    onLost(why) {
      workerRestarts += 1;
      report(`a worker thread ${why}`);
    },
    stuckAfterMs: options.stuckAfterMs,
  });
  const dispatcher = createDispatcher<Window>({ workers: threads, execute: (portion) => pool.execute(portion) });
  const admission = createAdmission(threads + options.maxQueue);
  const runs = createModelRuns({ dispatcher, isAbandoned: () => Atomics.load(abandoned, 0) !== 0, onProblem: report });

  async function classifyNow(
    texts: readonly string[],
    { signal, project, versionsOf }: ClassifyOptions,
    begin: () => void,
  ): Promise<Classification> {
    const begun = performance.now();
    // Short texts pass long ones, but nothing waits for ever: a long text is only so much behind those that come after it.
    const dueMs = begun + DELAY_MS_PER_CHARACTER * sumOf(texts.map(({ length }) => length));
    // Shared out over the workers from the beginning: pieces of a long text are answered sooner side by side.
    const shares = sharesOf(texts, { least: threads, maxTokens });
    const results = await Promise.all(
      shares.map((share) => {
        const tokens = Math.min(maxTokens, sumOf(share.map(estimatedTokens)));
        const prepare = (): TextsToCut => {
          begin();
          const versions = versionsOf === undefined ? share : share.flatMap(versionsOf);
          // Versions of less than a window have no cuts to share.
          const areVersions = versionsOf !== undefined && versions.some((text) => estimatedTokens(text) > maxTokens);
          return { texts: versions, areVersions };
        };
        return noted(classifyShare(prepare, { project, dueMs, tokens }, signal));
      }),
    );
    return joined(results, begun);
  }

  function noted(share: Promise<Judged>): Promise<Judged> {
    const forget = (): unknown => underWay.delete(share);
    underWay.add(share);
    share.then(forget, forget);
    return share;
  }

  /** Cut in one piece of work, and judged in it if they fit; else in further ones, side by side where workers are free. */
  async function classifyShare(
    prepare: () => TextsToCut,
    turn: Turn,
    signal: AbortSignal | undefined,
  ): Promise<Judged> {
    const first = await runs.run(prepare, turn, signal);
    if (first.unjudged.length === 0) return first;
    const different = new Map(first.unjudged.map((window) => [readingOf(window), window]));
    const results = await Promise.all(
      slicesOf([...different.values()], maxTokens, tokensOf).map((windows) =>
        runs.run(() => ({ windows }), { ...turn, tokens: sumOf(windows.map(tokensOf)) }, signal),
      ),
    );
    const readings = [...different.keys()];
    const judgedReadings = new Map(
      results.flatMap(({ judged }) => judged).map((judged, index) => [readings[index], judged]),
    );
    return {
      windowCounts: first.windowCounts,
      judged: first.unjudged.map((window) => {
        const judged = judgedReadings.get(readingOf(window));
        if (judged === undefined) throw new Error('a worker judged fewer windows than it was given');
        return { ...judged, start: window.start, end: window.end };
      }),
      tokenizeMs: first.tokenizeMs,
      inferMs: sumOf(results.map(({ inferMs }) => inferMs)),
    };
  }

  async function accept(texts: readonly string[], options: ClassifyOptions = {}): Promise<Classification> {
    if (closing !== undefined) throw shuttingDown();
    const call = createCall(options);
    if (options.followsUp !== true) admission.admit(call);
    const running = classifyNow(texts, { ...options, signal: call.signal }, call.begin);
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

/**
 * @param results in the order of the texts
 * @param begun when the call came, of `performance.now()`
 */
function joined(results: readonly Judged[], begun: number): Classification {
  const judged = results.flatMap((result) => result.judged);
  const tokenizeMs = sumOf(results.map((result) => result.tokenizeMs));
  const inferMs = sumOf(results.map((result) => result.inferMs));
  let next = 0;
  return {
    texts: results.flatMap(({ windowCounts }) => windowCounts).map((count) => judged.slice(next, (next += count))),
    timings: { queueMs: Math.max(0, performance.now() - begun - tokenizeMs - inferMs), tokenizeMs, inferMs },
  };
}

/** Texts in order, in about equal shares of at most some `maxTokens` tokens: one for each worker at least, if there are so many texts. */
function sharesOf(
  texts: readonly string[],
  { least, maxTokens }: { readonly least: number; readonly maxTokens: number },
): string[][] {
  const total = sumOf(texts.map(estimatedTokens));
  const tokensOfShare = total / Math.max(least, Math.ceil(total / maxTokens));
  const shares: string[][] = [];
  let tokensBefore = 0;
  for (const text of texts) {
    const tokens = estimatedTokens(text);
    const share = shares.at(-1);
    // It belongs where its middle lies.
    if (share === undefined || tokensBefore + tokens / 2 >= shares.length * tokensOfShare) shares.push([text]);
    else share.push(text);
    tokensBefore += tokens;
  }
  return shares;
}

function estimatedTokens({ length }: string): number {
  return length / CHARACTERS_PER_TOKEN + FRAME_TOKENS;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Why a worker was lost is in the cause. */
function reasonOf(error: unknown): string {
  const isCaused = error instanceof Error && error.cause !== undefined;
  return isCaused ? `${error.message}: ${messageOf(error.cause)}` : messageOf(error);
}
