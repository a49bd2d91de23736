/**
 * What every worker thread does: loads its model once, reads texts segment by segment, and has the runs judged. What a run is, and how it is
 * judged, only the runtime knows.
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { foreignLetterShare } from '../../text/foreign-letters.js';
import { STEPS } from '../../text/normalise.js';
import { readText, type ReadSegment } from '../../text/read-text.js';
import { assertUnchanged } from './checked-files.js';
import { failureOf, messageOf } from './failure.js';
import type { Backend, Portion, PortionOutcome, RunReading, Work, WorkerSettings, WorkFailure } from './messages.js';
import { judgePortion, type ReadWork } from './portion-work.js';
import { createTermCompiler } from './term-compiler.js';

export interface Model<Run> {
  /** At least one run. */
  runsOf(segment: ReadSegment): readonly Run[];
  /** One run for all of these, where the runtime's models learn from whole texts too and can read it. Its reading may tell the `highest`. */
  wholeOf?(runs: readonly Run[]): Run | undefined;
  /** Of up to `maxTexts` runs side by side, each as if it were alone. */
  judge(batch: readonly Run[]): Promise<readonly RunReading[]>;
  readonly backend?: Backend;
}

export interface WorkerLoopOptions<Run> {
  readonly settings: WorkerSettings;
  /** What it throws is passed on in full: operators need it, and there is no text yet. */
  readonly load: () => Promise<Model<Run>>;
  readonly tokensOf: (run: Run) => number;
}

/** How long a worker takes, at least, to say again that it could not load its model. */
const PAUSE_MS = 1000;

export function createWorkerLoop<Run>(
  options: WorkerLoopOptions<Run>,
): (portion: Portion<Run>) => Promise<PortionOutcome<Run>> {
  const { settings, tokensOf } = options;
  const foreignLettersOf = foreignLetterShare(settings.scripts);
  const compiledOf = createTermCompiler();
  const steps = STEPS.filter(({ name }) => settings.withoutSteps?.includes(name) !== true);
  let loading: Promise<Model<Run>> | undefined;
  let hasFailed = false;

  const isAbandoned = (): boolean => Atomics.load(settings.abandoned, 0) !== 0;

  async function load(): Promise<Model<Run>> {
    assertUnchanged(settings.files);
    const model = await options.load();
    // From now on texts come, and the pool tells why a thread died. What is thrown here ends the thread in place of the error.
    process.on('uncaughtException', (error) => {
      throw new Error(failureOf(error));
    });
    return model;
  }

  function read(model: Model<Run>, work: Work<Run>): ReadWork<Run> | WorkFailure {
    const { backend } = model;
    // Of runs, the text was read in earlier work.
    const nothingRead = { foreignLetters: undefined, tokenizeMs: 0, ...(backend && { backend }) };
    if (!('text' in work)) return { runs: work.runs, whole: undefined, spans: false, result: nothingRead };
    try {
      const begun = performance.now();
      const { normalised, segments, blocked } = readText(work.text, work.terms && compiledOf(work.terms), steps);
      const runs = segments.flatMap((segment) => model.runsOf(segment));
      const whole = model.wholeOf?.(runs);
      const foreignLetters = foreignLettersOf(normalised);
      const blockedTerms = blocked?.map(({ start, end }) => ({ start, end }));
      const tokenizeMs = performance.now() - begun;
      const result = { ...nothingRead, foreignLetters, ...(blockedTerms && { blockedTerms }), tokenizeMs };
      return { runs, whole, spans: work.spans ?? false, result };
    } catch (error) {
      return { failure: failureOf(error) };
    }
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
    const { maxTokens, maxTexts } = settings;
    const judge = (batch: readonly Run[]): Promise<readonly RunReading[]> => model.judge(batch);
    return judgePortion(
      portion.map((work) => read(model, work)),
      { judge, tokensOf, maxTokens, maxTexts, isAbandoned },
    );
  };
}
