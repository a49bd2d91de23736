/**
 * What every worker thread does: loads its model once, reads texts segment by segment, and judges the runs or, if they are many, gives them
 * back. What a run is, and how it is judged, only the runtime knows.
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { foreignLetterShare } from '../../text/foreign-letters.js';
import { readText, type ReadSegment } from '../../text/read-text.js';
import type { Reading } from '../classifier.js';
import { slicesOf } from '../runs.js';
import { assertUnchanged } from './checked-files.js';
import { failureOf, messageOf } from './failure.js';
import type {
  Backend,
  Portion,
  PortionOutcome,
  RunReading,
  TextWork,
  Work,
  WorkerSettings,
  WorkFailure,
  WorkResult,
} from './messages.js';
import { createTermCompiler } from './term-compiler.js';

export interface Model<Run> {
  /** At least one run. */
  runsOf(segment: ReadSegment): readonly Run[];
  /** One run for all of these, where the runtime's models learn from whole texts too and can read it. Its reading may tell the `highest`. */
  wholeOf?(runs: readonly Run[]): Run | undefined;
  judge(run: Run): Promise<RunReading>;
  readonly backend?: Backend;
}

export interface WorkerLoopOptions<Run> {
  readonly settings: WorkerSettings;
  /** What it throws is passed on in full: operators need it, and there is no text yet. */
  readonly load: () => Promise<Model<Run>>;
  readonly tokensOf: (run: Run) => number;
}

/** Of runs, whose text was read in earlier work. */
const NOTHING_READ = { whole: undefined, spans: false, foreignLetters: undefined, blockedTerms: undefined };

const ABANDONED: WorkFailure = { failure: 'abandoned' };

/** How long a worker takes, at least, to say again that it could not load its model. */
const PAUSE_MS = 1000;

export function createWorkerLoop<Run>(
  options: WorkerLoopOptions<Run>,
): (portion: Portion<Run>) => Promise<PortionOutcome<Run>> {
  const { settings, tokensOf } = options;
  const foreignLettersOf = foreignLetterShare(settings.scripts);
  const compiledOf = createTermCompiler();
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

  function read(model: Model<Run>, { text, terms, spans = false }: TextWork) {
    const { normalised, segments, blocked } = readText(text, terms && compiledOf(terms));
    const runs = segments.flatMap((segment) => model.runsOf(segment));
    const blockedTerms = blocked?.map(({ start, end }) => ({ start, end }));
    return { runs, whole: model.wholeOf?.(runs), spans, foreignLetters: foreignLettersOf(normalised), blockedTerms };
  }

  /**
   * Reads a text and judges the whole of it where that is one run; then its segments, unless the whole is certainly harmless, or tells what the worst
   * of them is and nobody wants them for spans. Segments that are more than one full run of tokens go back unjudged: others may be waiting, and
   * other workers may be free.
   */
  async function judge(model: Model<Run>, work: Work<Run>): Promise<WorkResult<Run> | WorkFailure> {
    const begun = performance.now();
    const { runs, whole, spans, foreignLetters, blockedTerms } =
      'text' in work ? read(model, work) : { ...NOTHING_READ, runs: work.runs };
    const tokenized = performance.now();
    if (isAbandoned()) return ABANDONED;
    const judgedWhole = whole && (await model.judge(whole));
    const isDone = judgedWhole?.exited === true || (judgedWhole?.highest !== undefined && !spans);
    const isTooMuch = !isDone && slicesOf(runs, settings.maxTokens, tokensOf).length > 1;
    const judged: Reading[] = [];
    for (const run of isDone || isTooMuch ? [] : runs) {
      if (isAbandoned()) return ABANDONED;
      judged.push(segmentOf(await model.judge(run)));
    }
    return {
      whole: judgedWhole,
      judged,
      unjudged: isTooMuch ? runs : [],
      foreignLetters,
      ...(blockedTerms && { blockedTerms }),
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

/** Of a segment its labels say it better: the network learns to tell the worst of several. */
function segmentOf({ start, end, tokens, unreadTokens, labels, sentiments, languages }: RunReading): Reading {
  return { start, end, tokens, unreadTokens, labels, sentiments, ...(languages && { languages }) };
}
