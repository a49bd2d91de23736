/**
 * A classifier on worker threads, whatever their runtime: limits what is accepted, puts a text's segments together, and ends in order.
 * Does no arithmetic itself.
 */
import { resolve } from 'node:path';
import type { Caller } from '../../caller.js';
import { messageOf, OperatorError } from '../../errors.js';
import { createJobThread } from '../../threads/job-thread.js';
import type { TermsPlace } from '../../text/terms/compiled-terms.js';
import type { Classification, Classifier, Placed, Prediction } from '../classifier.js';
import type { Manifest } from '../manifest.js';
import { FRAME_TOKENS, groupsOf, joinChunks } from '../sequences.js';
import type { CheckedFile } from '../checked-files.js';

import type { Backend, SequencePrediction, Task, TaskResult, TextTask } from './messages.js';
import { createModelHealth, shuttingDown } from './model-health.js';
import { createScheduler, type Do } from './scheduler.js';
import { createTermStore } from './term-store.js';
import { createWorkerPool } from './worker-pool.js';

/** What a classifier of any runtime is created with. */
export interface RuntimeOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly threads: number;
  /** Texts that may wait for a worker. */
  readonly maxQueue: number;
  /** Told why a worker died, a run failed or a backend was not taken; the message holds no text. */
  readonly onWorkerProblem?: (message: string) => void;
  /** In place of the runtime's own worker and the usual time; for tests. */
  readonly workerUrl?: URL;
  readonly stuckAfterMs?: number;
}

/** What a runtime's workers are. */
export interface WorkerKind<Sequence, Settings extends object> {
  /** The module, which answers tasks (worker-loop.ts). */
  readonly url: URL;
  /** Given to each worker, beside the settings that all runtimes have. */
  readonly settings: Settings;
  readonly tokensOf: (sequence: Sequence) => number;
  /** What the network reads of it: sequences in which it is the same are judged once. */
  readonly inputOf: (sequence: Sequence) => string;
}

/** How much later than a text of no length a text is due. A long one of 10,000 characters lets those of the next 5 s pass. */
const DELAY_MS_PER_CHARACTER = 0.5;

/** Of English text; only what is put into one share or done at once depends on it. */
const CHARACTERS_PER_TOKEN = 4;

/** Between two lists of terms: what it used for one is given back. */
const COMPILER_IDLE_MS = 10_000;

const TEST_TEXT = 'Parapet is ready.';

function checkedFiles({ folder, manifest }: RuntimeOptions): CheckedFile[] {
  return Object.entries(manifest.files).map(([name, { sha256 }]) => ({ path: resolve(folder, name), sha256 }));
}

/**
 * Its manifest's version names the backend where the runtime tells one, which can differ from machine to machine.
 *
 * @throws OperatorError when the model cannot be loaded or does not answer
 */
export async function createPooledClassifier<Sequence extends Placed, Settings extends object>(
  options: RuntimeOptions,
  { url, settings, tokensOf, inputOf }: WorkerKind<Sequence, Settings>,
): Promise<Classifier> {
  const { manifest, threads } = options;
  const { maxTokens, maxTexts } = manifest.window;
  const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let workerRestarts = 0;
  let closing: Promise<void> | undefined;
  const report = (message: string): void => options.onWorkerProblem?.(message);

  const compiler = createJobThread<string>({
    workerUrl: new URL('./term-compiler.js', import.meta.url),
    idleMs: COMPILER_IDLE_MS,
    mostWaitingBytes: Infinity,
    namesOf: () => 'lists of terms',
  });
  const termStore = createTermStore({
    compile: (lists) => compiler.submit(lists, 0),
    onProblem: report,
    places: threads + options.maxQueue,
  });
  const pool = createWorkerPool<Sequence>({
    threads,
    workerUrl: options.workerUrl ?? url,
    settings: {
      ...settings,
      maxTokens,
      maxTexts,
      scripts: manifest.scripts,
      abandoned,
      files: checkedFiles(options),
    },
    warmUp: { text: TEST_TEXT },
    onFree: () => scheduler.dispatch(),
    onLost(why) {
      workerRestarts += 1;
      report(`a worker thread ${why}`);
    },
    onNone: (cause) => scheduler.fail(cause),
    stuckAfterMs: options.stuckAfterMs,
  });
  const scheduler = createScheduler<Sequence>({
    workers: threads,
    places: threads + options.maxQueue,
    free: () => pool.free(),
    execute(tasks) {
      const terms = tasks.flatMap(termsOf);
      return terms.length === 0 ? pool.execute(tasks) : termStore.during(terms, () => pool.execute(tasks));
    },
  });
  const health = createModelHealth({
    test: () => scheduler.run({ task: () => ({ text: TEST_TEXT }), dueMs: performance.now(), tokens: 0 }),
    isAbandoned: () => Atomics.load(abandoned, 0) !== 0,
    onProblem: report,
  });

  /** Read in one task, and judged in it if that is little; else in further ones, side by side where workers are free. */
  async function judge(task: TextTask, begun: number, run: Do<Sequence>): Promise<Classification> {
    const { length } = task.text;
    // Short texts pass long ones, but nothing waits for ever: a long text is only so much behind those that come after it.
    const dueMs = begun + DELAY_MS_PER_CHARACTER * length;
    const tokens = Math.min(maxTokens, length / CHARACTERS_PER_TOKEN + FRAME_TOKENS);
    const read = await run({ task: () => task, dueMs, tokens });
    if (read.unjudged.length === 0) return classificationOf(read, begun);
    const different = new Map(read.unjudged.map((sequence) => [inputOf(sequence), sequence]));
    const results = await Promise.all(
      groupsOf([...different.values()], maxTokens, tokensOf).map((sequences) =>
        run({ task: () => ({ sequences }), dueMs, tokens: sumOf(sequences.map(tokensOf)) }),
      ),
    );
    const predictions = results.flatMap(({ judged }) => judged);
    const byInput = new Map([...different.keys()].map((input, index) => [input, predictions[index]]));
    const judged = read.unjudged.map((sequence): Prediction => {
      const prediction = byInput.get(inputOf(sequence));
      if (prediction === undefined) throw new Error('a worker judged fewer sequences than it was given');
      const { segment, start, end } = sequence;
      return { ...prediction, segment, start, end };
    });
    return classificationOf(
      { ...read, judged, inferMs: read.inferMs + sumOf(results.map(({ inferMs }) => inferMs)) },
      begun,
    );
  }

  async function classify(text: string, caller: Caller = {}): Promise<Classification> {
    if (closing !== undefined) throw shuttingDown();
    const begun = performance.now();
    const admitted = (place?: TermsPlace): Promise<Classification> =>
      scheduler.admit(caller, (run) =>
        judge({ text, spans: caller.spans ?? false, terms: place }, begun, (wanted) => health.watch(run(wanted))),
      );
    return caller.terms === undefined ? admitted() : termStore.use(caller.terms, caller, admitted);
  }

  async function closeAfterwards(): Promise<void> {
    health.end();
    // Also what nobody waits for any more: threads may only be ended when nothing computes.
    await termStore.idle();
    await scheduler.idle();
    await compiler.close();
    await pool.end();
  }

  const classifier: Classifier = {
    manifest,
    classify,
    stats: () => ({ waiting: Math.max(0, scheduler.size - threads), workerRestarts }),
    isAnswering: () => health.isAnswering(),
    close(how = 'answer') {
      if (how === 'abandon') {
        Atomics.store(abandoned, 0, 1);
        termStore.close();
        void compiler.close();
      }
      closing ??= closeAfterwards();
      return closing;
    },
  };

  // Every worker must load the model and judge a text: a folder that cannot be served fails here.
  try {
    const [first, ...others] = await pool.started;
    for (const outcome of [first, ...others]) {
      if (outcome !== undefined && 'failure' in outcome) throw new Error(outcome.failure);
    }
    const backend = first !== undefined && 'backend' in first ? first.backend : undefined;
    if (backend?.problem !== undefined) report(`the slower backend ${backend.name} is used: ${backend.problem}`);
    return backend === undefined ? classifier : { ...classifier, manifest: namedBy(manifest, backend) };
  } catch (error) {
    await classifier.close();
    throw new OperatorError(`The model in ${options.folder} cannot be served: ${reasonOf(error)}.`, { cause: error });
  }
}

function namedBy(manifest: Manifest, { name }: Backend): Manifest {
  const { version } = manifest;
  return { ...manifest, version: `${version}${version.includes('+') ? '.' : '+'}${name}` };
}

function termsOf<Sequence>(task: Task<Sequence>): TermsPlace[] {
  return 'terms' in task && task.terms !== undefined ? [task.terms] : [];
}

/** Every part of it is judged. */
function classificationOf<Sequence>(read: TaskResult<Sequence>, begun: number): Classification {
  const { whole, judged, foreignLetters, blockedTerms, tokenizeMs, inferMs } = read;
  const queueMs = Math.max(0, performance.now() - begun - tokenizeMs - inferMs);
  return {
    ...predictionsOf(whole, joinChunks(judged)),
    foreignLetters,
    ...(blockedTerms && { blockedTerms }),
    sequences: judged.length + (whole === undefined ? 0 : 1),
    timings: { queueMs, tokenizeMs, inferMs },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Why a worker was lost is in the cause. */
function reasonOf(error: unknown): string {
  const isCaused = error instanceof Error && error.cause !== undefined;
  return isCaused ? `${error.message}: ${messageOf(error.cause)}` : messageOf(error);
}

function predictionsOf(
  whole: SequencePrediction | undefined,
  segments: readonly Prediction[],
): Pick<Classification, 'predictions' | 'whole' | 'segments'> {
  if (whole === undefined) return { predictions: segments, segments };
  const { exited = false, highest, ...prediction } = whole;
  if (exited) return { predictions: [prediction], segments: [prediction] };
  if (highest === undefined) return { predictions: segments, whole: prediction, segments };
  return { predictions: [{ ...prediction, highest }], ...(segments.length > 0 && { segments }) };
}
