/**
 * What every worker thread does: loads its model once, cuts texts into windows, and judges these or, if they are many, gives them back. What
 * a window is, and how it is judged, only the runtime knows.
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { WindowProbabilities } from '../classifier.js';
import { slicesOf } from '../windows.js';
import { assertUnchanged } from './checked-files.js';
import { failureOf, messageOf } from './failure.js';
import type {
  Backend,
  Portion,
  PortionOutcome,
  TextsToCut,
  Work,
  WorkerSettings,
  WorkFailure,
  WorkResult,
} from './messages.js';

export interface Model<Window> {
  /** At least one window. */
  plan(text: string): readonly Window[];
  /** Windows of each version of one text; without it each is cut for itself. */
  planVersions?(versions: readonly string[]): readonly (readonly Window[])[];
  judge(window: Window): Promise<WindowProbabilities>;
  readonly backend?: Backend;
}

export interface WorkerLoopOptions<Window> {
  readonly settings: WorkerSettings;
  /** What it throws is passed on in full: operators need it, and there is no text yet. */
  readonly load: () => Promise<Model<Window>>;
  readonly tokensOf: (window: Window) => number;
}

/** How long a worker takes, at least, to say again that it could not load its model. */
const PAUSE_MS = 1000;

function cut<Window>(model: Model<Window>, { texts, areVersions }: TextsToCut): readonly (readonly Window[])[] {
  if (areVersions && model.planVersions !== undefined) return model.planVersions(texts);
  return texts.map((text) => model.plan(text));
}

export function createWorkerLoop<Window>(
  options: WorkerLoopOptions<Window>,
): (portion: Portion<Window>) => Promise<PortionOutcome<Window>> {
  const { settings, tokensOf } = options;
  let loading: Promise<Model<Window>> | undefined;
  let hasFailed = false;

  const isAbandoned = (): boolean => Atomics.load(settings.abandoned, 0) !== 0;

  async function load(): Promise<Model<Window>> {
    await assertUnchanged(settings.files);
    const model = await options.load();
    // From now on texts come, and the pool tells why a thread died. What is thrown here ends the thread in place of the error.
    process.on('uncaughtException', (error) => {
      throw new Error(failureOf(error));
    });
    return model;
  }

  /**
   * Cuts texts into windows and judges them, if they are about one full window of tokens at most. More go back unjudged: others may be
   * waiting, and other workers may be free.
   */
  async function judge(model: Model<Window>, work: Work<Window>): Promise<WorkResult<Window> | WorkFailure> {
    const begun = performance.now();
    const planned = 'texts' in work ? cut(model, work) : [];
    const windows = 'texts' in work ? planned.flat() : work.windows;
    const isTooMuch = slicesOf(windows, settings.window.maxTokens, tokensOf).length > 1;
    const tokenized = performance.now();
    const judged: WindowProbabilities[] = [];
    for (const window of isTooMuch ? [] : windows) {
      if (isAbandoned()) return { failure: 'abandoned' };
      judged.push(await model.judge(window));
    }
    return {
      judged,
      windowCounts: planned.map(({ length }) => length),
      unjudged: isTooMuch ? windows : [],
      tokenizeMs: tokenized - begun,
      inferMs: performance.now() - tokenized,
      ...(model.backend && { backend: model.backend }),
    };
  }

  return async (portion) => {
    let model: Model<Window>;
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
    const outcomes: (WorkResult<Window> | WorkFailure)[] = [];
    for (const work of portion) {
      outcomes.push(await judge(model, work).catch((error: unknown) => ({ failure: failureOf(error) })));
    }
    return outcomes;
  };
}
