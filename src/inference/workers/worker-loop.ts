/**
 * What every worker thread does: loads its model once, reads texts segment by segment, and judges the runs or, if they are many, gives them
 * back. What a run is, and how it is judged, only the runtime knows.
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { foreignLetterShare } from '../../text/foreign-letters.js';
import { readText, type ReadSegment } from '../../text/read-text.js';
import type { JudgedSegment } from '../classifier.js';
import { slicesOf } from '../runs.js';
import { assertUnchanged } from './checked-files.js';
import { failureOf, messageOf } from './failure.js';
import type { Backend, Portion, PortionOutcome, Work, WorkerSettings, WorkFailure, WorkResult } from './messages.js';

export interface Model<Run> {
  /** At least one run. */
  runsOf(segment: ReadSegment): readonly Run[];
  /** One run for all of these, where the runtime's models learn from whole texts too and can read it. */
  wholeOf?(runs: readonly Run[]): Run | undefined;
  judge(run: Run): Promise<JudgedSegment>;
  readonly backend?: Backend;
}

export interface WorkerLoopOptions<Run> {
  readonly settings: WorkerSettings;
  /** What it throws is passed on in full: operators need it, and there is no text yet. */
  readonly load: () => Promise<Model<Run>>;
  readonly tokensOf: (run: Run) => number;
}

/** Of runs, whose text was read in earlier work. */
const NOTHING_READ = { hasWhole: false, foreignLetters: undefined };

/** How long a worker takes, at least, to say again that it could not load its model. */
const PAUSE_MS = 1000;

export function createWorkerLoop<Run>(
  options: WorkerLoopOptions<Run>,
): (portion: Portion<Run>) => Promise<PortionOutcome<Run>> {
  const { settings, tokensOf } = options;
  const foreignLettersOf = foreignLetterShare(settings.scripts);
  let loading: Promise<Model<Run>> | undefined;
  let hasFailed = false;

  const isAbandoned = (): boolean => Atomics.load(settings.abandoned, 0) !== 0;

  async function load(): Promise<Model<Run>> {
    await assertUnchanged(settings.files);
    const model = await options.load();
    // From now on texts come, and the pool tells why a thread died. What is thrown here ends the thread in place of the error.
    process.on('uncaughtException', (error) => {
      throw new Error(failureOf(error));
    });
    return model;
  }

  function read(model: Model<Run>, text: string) {
    const { normalised, segments } = readText(text);
    const ofSegments = segments.flatMap((segment) => model.runsOf(segment));
    const whole = model.wholeOf?.(ofSegments);
    return {
      runs: whole === undefined ? ofSegments : [whole, ...ofSegments],
      hasWhole: whole !== undefined,
      foreignLetters: foreignLettersOf(normalised),
    };
  }

  /**
   * Reads a text and judges its runs, if they are about one full run of tokens at most. More go back unjudged: others may be waiting, and
   * other workers may be free.
   */
  async function judge(model: Model<Run>, work: Work<Run>): Promise<WorkResult<Run> | WorkFailure> {
    const begun = performance.now();
    const { runs, ...found } = 'text' in work ? read(model, work.text) : { ...NOTHING_READ, runs: work.runs };
    const isTooMuch = slicesOf(runs, settings.maxTokens, tokensOf).length > 1;
    const tokenized = performance.now();
    const judged: JudgedSegment[] = [];
    for (const run of isTooMuch ? [] : runs) {
      if (isAbandoned()) return { failure: 'abandoned' };
      judged.push(await model.judge(run));
    }
    return {
      judged,
      unjudged: isTooMuch ? runs : [],
      ...found,
      tokenizeMs: tokenized - begun,
      inferMs: performance.now() - tokenized,
      ...(model.backend && { backend: model.backend }),
    };
  }

  return async (portion) => {
    let model: Model<Run>;
    try {
      model = await (loading ??= load());
    } catch (error) {
      // What failed once (no memory, no file handle left) may succeed the next time. A worker that refuses at once would be given
      // nearly all the work while the others compute.
      loading = undefined;
      if (hasFailed) await setTimeout(PAUSE_MS);
      hasFailed = true;
      return portion.map(() => ({ failure: messageOf(error) }));
    }
    const outcomes: (WorkResult<Run> | WorkFailure)[] = [];
    for (const work of portion) {
      outcomes.push(await judge(model, work).catch((error: unknown) => ({ failure: failureOf(error) })));
    }
    return outcomes;
  };
}
