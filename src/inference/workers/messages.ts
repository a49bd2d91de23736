/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { WindowProbabilities } from '../classifier.js';
import type { WindowSize } from '../windows.js';

/** What every worker is started with, beside what its runtime adds. */
export interface WorkerSettings {
  readonly window: WindowSize;
  /** Shared: as soon as its only element is not 0, workers give up what they have, at the next window. */
  readonly abandoned: Int32Array;
}

/** Texts to cut and to begin with, or windows of such texts to go on with. A window is whatever the runtime's model reads. */
export type Work<Window> = { readonly texts: readonly string[] } | { readonly windows: readonly Window[] };

/** Work of several calls in one message: to wake a thread and to be woken by it costs more than to carry one more text. */
export type Portion<Window> = readonly Work<Window>[];

export interface WorkResult<Window> {
  /** Of the first windows, in the order of the texts. */
  readonly judged: readonly WindowProbabilities[];
  /** How many windows each text has. Empty where the work was windows. */
  readonly windowCounts: readonly number[];
  /** The windows that are not judged yet, in the order of the texts: further work, for any worker. */
  readonly rest: readonly Window[];
  readonly tokenizeMs: number;
  readonly inferMs: number;
  /** Where the runtime has several. */
  readonly backend?: Backend;
}

/** What does the arithmetic. */
export interface Backend {
  readonly name: string;
  /** Why a faster one was not taken although it is installed. */
  readonly problem: string | undefined;
}

/** A failure inside the worker, as data: any rejection of the pool's promise then means that the worker itself died. */
export interface WorkFailure {
  /** Holds nothing of a text. */
  readonly failure: string;
}

/** In the order of the portion. */
export type PortionOutcome<Window> = readonly (WorkResult<Window> | WorkFailure)[];
