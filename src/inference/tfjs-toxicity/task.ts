/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { WindowProbabilities } from '../classifier.js';
import type { WindowSize } from '../windows.js';
import type { Backend } from './backend.js';
import type { TextWindow } from './text-windows.js';

/** What every worker is started with. */
export interface WorkerSettings {
  readonly folder: string;
  readonly window: WindowSize;
  /** Shared: as soon as its only element is not 0, workers give up what they have, at the next window. */
  readonly abandoned: Int32Array;
}

/** Texts to cut and to begin with, or windows of such texts to go on with. */
export type Task = { readonly texts: readonly string[] } | { readonly windows: readonly TextWindow[] };

export interface TaskResult {
  /** Of the first windows, in the order of the texts. */
  readonly judged: readonly WindowProbabilities[];
  /** How many windows each text has. Empty where the task held windows. */
  readonly windowCounts: readonly number[];
  /** The portions that are not judged yet, in the order of the texts: each is work for a further task, on any worker. */
  readonly rest: readonly (readonly TextWindow[])[];
  readonly tokenizeMs: number;
  readonly inferMs: number;
  readonly backend: Backend;
  /** Why the worker does not use a faster backend that is installed. */
  readonly backendProblem: string | undefined;
}

/** A failure inside the worker, as data: any rejection of the pool's promise then means that the worker itself died. */
export interface TaskFailure {
  readonly failure: string;
}
