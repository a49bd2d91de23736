/**
 * What every worker thread does: loads its model once, cuts texts into what the network reads at once, and judges that or, if it is much, gives
 * it back. What a run is, and how it is judged, only the runtime knows.
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { foreignLetterShare } from '../../text/foreign-letters.js';
import { readText, type ReadSegment } from '../../text/read-text.js';
import type { Reading } from '../classifier.js';
import { alone, slicesOf } from '../runs.js';
import { assertUnchanged } from './checked-files.js';
import { failureOf, messageOf } from './failure.js';
import { wantsRuns, type JudgedWindow } from './judged-window.js';
import type {
  Backend,
  Portion,
  PortionOutcome,
  TextWork,
  Window,
  Work,
  WorkerSettings,
  WorkFailure,
  WorkResult,
} from './messages.js';
import { createTermCompiler } from './term-compiler.js';

/** `exited`: the network is so certain that what it read is harmless that it computed no further. */
export type RunReading = Reading & { readonly exited?: boolean };

export interface Model<Run> {
  /** At least one run. */
  runsOf(segment: ReadSegment): readonly Run[];
  /** @param segments their runs, in text order */
  windowsOf(segments: readonly (readonly Run[])[]): readonly Window<Run>[];
  judge(window: Window<Run>): Promise<RunReading>;
  readonly backend?: Backend;
}

export interface WorkerLoopOptions<Run> {
  readonly settings: WorkerSettings;
  /** What it throws is passed on in full: operators need it, and there is no text yet. */
  readonly load: () => Promise<Model<Run>>;
  readonly tokensOf: (window: Window<Run>) => number;
}

/** Of windows, whose text was read in earlier work. */
const NOTHING_READ = { foreignLetters: undefined, blockedTerms: undefined };

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
    await assertUnchanged(settings.files);
    const model = await options.load();
    // From now on texts come, and the pool tells why a thread died. What is thrown here ends the thread in place of the error.
    process.on('uncaughtException', (error) => {
      throw new Error(failureOf(error));
    });
    return model;
  }

  function read(model: Model<Run>, { text, terms }: TextWork) {
    const { normalised, segments, blocked } = readText(text, terms && compiledOf(terms));
    const windows = model.windowsOf(segments.map((segment) => model.runsOf(segment)));
    const blockedTerms = blocked?.map(({ start, end }) => ({ start, end }));
    return { windows, foreignLetters: foreignLettersOf(normalised), blockedTerms };
  }

  function isOnePiece(windows: readonly Window<Run>[]): boolean {
    return slicesOf(windows, settings.maxTokens, tokensOf).length <= 1;
  }

  /** Undefined as soon as workers are told to give up. */
  async function judgeEach(model: Model<Run>, windows: readonly Window<Run>[]): Promise<JudgedWindow[] | undefined> {
    const judged: JudgedWindow[] = [];
    for (const window of windows) {
      if (isAbandoned()) return undefined;
      const { exited = false, highest, ...reading } = await model.judge(window);
      // Of a segment alone its labels say it better: the network learns to tell the worst of several.
      const isSegment = exited || window.length === 1;
      judged.push({ reading: { ...reading, ...(!isSegment && highest && { highest }) }, isSegment });
    }
    return judged;
  }

  /**
   * Reads a text and judges its windows; then the runs of a window that is judged and of which they are wanted as well. What is more than one
   * full run of tokens goes back unjudged: others may be waiting, and other workers may be free.
   */
  async function judge(model: Model<Run>, work: Work<Run>): Promise<WorkResult<Run> | WorkFailure> {
    const begun = performance.now();
    const { windows, foreignLetters, blockedTerms } =
      'text' in work ? read(model, work) : { ...NOTHING_READ, windows: work.windows };
    const tokenized = performance.now();
    const spans = 'text' in work && work.spans === true;
    if (isAbandoned()) return ABANDONED;
    const judged = isOnePiece(windows) ? await judgeEach(model, windows) : [];
    if (judged === undefined) return ABANDONED;
    for (const [index, window] of windows.entries()) {
      const one = judged[index];
      if (one === undefined || !wantsRuns(one, spans) || !isOnePiece(alone(window))) continue;
      const ofRuns = await judgeEach(model, alone(window));
      if (ofRuns === undefined) return ABANDONED;
      judged[index] = { ...one, alone: ofRuns.map(({ reading }) => reading) };
    }
    const isDone = judged.length > 0 && !judged.some((one) => wantsRuns(one, spans));
    return {
      judged,
      unjudged: isDone ? [] : windows,
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
