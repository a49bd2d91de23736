/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { WindowProbabilities } from '../classifier.js';
import type { WindowSize } from '../windows.js';

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

export interface Task {
  readonly texts: readonly string[];
}

export interface TaskResult {
  readonly texts: readonly (readonly WindowProbabilities[])[];
  readonly tokenizeMs: number;
  readonly inferMs: number;
}

/** A failure inside the worker, as data: any rejection of the pool's promise then means that the worker itself died. */
export interface TaskFailure {
  readonly failure: string;
}
