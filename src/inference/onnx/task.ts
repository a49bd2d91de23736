/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { WindowProbabilities } from '../classifier.js';
import type { Window, WindowSize } from '../windows.js';

/** What every worker is started with. */
export interface WorkerSettings {
  readonly modelPath: string;
  readonly tokenizerPath: string;
  readonly window: WindowSize;
  readonly labelCount: number;
  readonly sentimentCount: number;
  /** Shared: as soon as its only element is not 0, workers give up what they have, at the next window. */
  readonly abandoned: Int32Array;
}

/** Texts to tokenise and to begin with, or windows of such texts to go on with. */
export type Work = { readonly texts: readonly string[] } | { readonly windows: readonly Window[] };

/** Work of several calls in one message: to wake a thread and to be woken by it costs more than to carry one more text. */
export type Portion = readonly Work[];

export interface WorkResult {
  /** Of the first windows, in the order of the texts. */
  readonly judged: readonly WindowProbabilities[];
  /** How many windows each text has. Empty where the work was windows. */
  readonly windowCounts: readonly number[];
  /** The windows that are not judged yet, in the order of the texts: further work, for any worker. */
  readonly rest: readonly Window[];
  readonly tokenizeMs: number;
  readonly inferMs: number;
}

/** A failure inside the worker, as data: any rejection of the pool's promise then means that the worker itself died. */
export interface WorkFailure {
  readonly failure: string;
}

/** In the order of the portion. */
export type PortionOutcome = readonly (WorkResult | WorkFailure)[];
