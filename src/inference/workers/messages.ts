/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { WindowProbabilities } from '../classifier.js';
import type { WindowSize } from '../windows.js';
import type { CheckedFile } from './checked-files.js';

/** What every worker is started with, beside what its runtime adds. */
export interface WorkerSettings {
  readonly window: WindowSize;
  /** Shared: as soon as its only element is not 0, workers give up what they have, at the next window. */
  readonly abandoned: Int32Array;
  /** Of the model. */
  readonly files: readonly CheckedFile[];
}

/** Texts to cut, or windows of such texts to judge. A window is whatever the runtime's model reads. */
export type Work<Window> = TextsToCut | { readonly windows: readonly Window[] };

export interface TextsToCut {
  readonly texts: readonly string[];
  /** Of one text: they are cut where the first is cut. */
  readonly areVersions: boolean;
}

/** Work of several calls in one message: to wake a thread and to be woken by it costs more than to carry one more text. */
export type Portion<Window> = readonly Work<Window>[];

export interface WorkResult<Window> {
  /** Of all windows, in the order of the texts, or of none where they are more than one piece of work. */
  readonly judged: readonly WindowProbabilities[];
  /** How many windows each text has. Empty where the work was windows. */
  readonly windowCounts: readonly number[];
  /** All windows, in the order of the texts, where none is judged yet: further work, for any worker. */
  readonly unjudged: readonly Window[];
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
