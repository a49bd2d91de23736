/**
 * What every worker thread does: loads its model once, reads texts segment by segment, and has the sequences judged. What a sequence is, and how
 * it is judged, only the runtime knows.
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../errors.js';
import { foreignLetterShare } from '../../text/foreign-letters.js';
import { STEPS } from '../../text/normalise.js';
import { readText, type ReadSegment } from '../../text/read-text.js';
import { termsAt } from '../../text/terms/term-matcher.js';
import { giveWay } from '../../threads/thread-priority.js';
import { assertUnchanged } from '../checked-files.js';
import { failureOf } from './failure.js';
import { judgeTasks, type ReadTask } from './judge-tasks.js';
import type { Backend, DoTasks, SequencePrediction, Task, TaskFailure, WorkerSettings } from './messages.js';

export interface Model<Sequence> {
  /** At least one. @param index of the segment among those of its text */
  sequencesOf(segment: ReadSegment, index: number): readonly Sequence[];
  /** One for all of these, where the runtime's models learn from whole texts too and can read it. What is said of it may tell the `highest`. */
  wholeOf?(sequences: readonly Sequence[]): Sequence | undefined;
  /** Of up to `maxTexts` sequences side by side, each as if it were alone. */
  judge(batch: readonly Sequence[]): Promise<readonly SequencePrediction[]>;
  readonly backend?: Backend;
}

export interface WorkerLoopOptions<Sequence> {
  readonly settings: WorkerSettings;
  /** What it throws is passed on in full: operators need it, and there is no text yet. */
  readonly load: () => Promise<Model<Sequence>>;
  readonly tokensOf: (sequence: Sequence) => number;
}

/** How long a worker takes, at least, to say again that it could not load its model. */
const PAUSE_MS = 1000;

export function createWorkerLoop<Sequence>(options: WorkerLoopOptions<Sequence>): DoTasks<Sequence> {
  const { settings, tokensOf } = options;
  const foreignLettersOf = foreignLetterShare(settings.scripts);
  const steps = STEPS.filter(({ name }) => settings.withoutSteps?.includes(name) !== true);
  let loading: Promise<Model<Sequence>> | undefined;
  let hasFailed = false;

  const isAbandoned = (): boolean => Atomics.load(settings.abandoned, 0) !== 0;

  async function load(): Promise<Model<Sequence>> {
    assertUnchanged(settings.files);
    const model = await options.load();
    // From now on texts come, and the pool tells why a thread died. What is thrown here ends the thread in place of the error.
    process.on('uncaughtException', (error) => {
      throw new Error(failureOf(error));
    });
    return model;
  }

  function read(model: Model<Sequence>, task: Task<Sequence>): ReadTask<Sequence> | TaskFailure {
    const { backend } = model;
    // Of sequences, the text was read in an earlier task.
    const nothingRead = { foreignLetters: undefined, tokenizeMs: 0, ...(backend && { backend }) };
    if (!('text' in task)) return { sequences: task.sequences, whole: undefined, spans: false, result: nothingRead };
    try {
      const begun = performance.now();
      const readTerms = task.terms && termsAt(task.terms);
      const { normalised, segments, inSeveralScripts, blocked } = readText(task.text, readTerms, steps);
      const sequences = segments.flatMap((segment, index) => model.sequencesOf(segment, index));
      const whole = inSeveralScripts ? undefined : model.wholeOf?.(sequences);
      const foreignLetters = foreignLettersOf(normalised);
      const blockedTerms = blocked?.map(({ start, end }) => ({ start, end }));
      const tokenizeMs = performance.now() - begun;
      const result = { ...nothingRead, foreignLetters, ...(blockedTerms && { blockedTerms }), tokenizeMs };
      return { sequences, whole, spans: task.spans ?? false, result };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  }

  return async (tasks) => {
    let model: Model<Sequence>;
    try {
      model = await (loading ??= load());
    } catch (error) {
      // What failed once (no memory, no file handle left) may succeed the next time. A worker that refuses at once would be given
      // nearly all the work while the others compute.
      loading = undefined;
      if (hasFailed) await setTimeout(PAUSE_MS);
      hasFailed = true;
      return tasks.map(() => ({ failure: messageOf(error) }));
    }
    const { maxTokens, maxTexts } = settings;
    const judge = (batch: readonly Sequence[]): Promise<readonly SequencePrediction[]> => model.judge(batch);
    return judgeTasks(
      tasks.map((task) => read(model, task)),
      { judge, tokensOf, maxTokens, maxTexts, isAbandoned },
    );
  };
}

/** For a run after which nothing may be judged in the same memory any more: the thread ends, and another takes its place. */
export function endThread(error: unknown): Promise<never> {
  return new Promise(() => {
    queueMicrotask(() => {
      throw error;
    });
  });
}

/** Behind the HTTP thread and the one that reads. */
const NICENESS = 10;

/** A worker's end of the messages, to be called once by its module: does one message's tasks after another's. */
export function answerTasks<Sequence>(doTasks: DoTasks<Sequence>): void {
  giveWay(NICENESS);
  const port = parentPort;
  // What rejects is nobody's text: it ends the thread, and another takes its place.
  port?.on('message', (tasks: readonly Task<Sequence>[]) => {
    void doTasks(tasks).then((outcomes) => port.postMessage(outcomes));
  });
}
