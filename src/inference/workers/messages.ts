/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { Reading } from '../classifier.js';
import type { TermPlace } from '../classifier.js';
import type { CheckedFile } from './checked-files.js';
import type { SharedTerms } from './shared-terms.js';

/** `exited`: the network is so certain that the text is harmless that it computed no further. */
export type RunReading = Reading & { readonly exited?: boolean };

/** What every worker is started with, beside what its runtime adds. */
export interface WorkerSettings {
  /** Most tokens of a run, [CLS] and [SEP] included. */
  readonly maxTokens: number;
  /** Most runs that the model judges side by side. */
  readonly maxTexts: number;
  /** That the model knows, by their names in Unicode. */
  readonly scripts: readonly string[];
  /** Shared: as soon as its only element is not 0, workers give up what they have, at the next run. */
  readonly abandoned: Int32Array;
  /** Of the model. */
  readonly files: readonly CheckedFile[];
  /** Names of steps of the normaliser that are left out. */
  readonly withoutSteps?: readonly string[] | undefined;
}

/** A text to read, or runs of such a text to judge. A run is whatever the runtime's network reads at once. */
export type Work<Run> = TextWork | { readonly runs: readonly Run[] };

export interface TextWork {
  readonly text: string;
  readonly terms?: SharedTerms | undefined;
  /** Whether its segments are wanted, also where the whole tells all else. */
  readonly spans?: boolean | undefined;
}

/** Work of several calls in one message: to wake a thread and to be woken by it costs more than to carry one more text. */
export type Portion<Run> = readonly Work<Run>[];

export interface WorkResult<Run> {
  /** Of the text, where it has several segments and the network can read them at once. */
  readonly whole: RunReading | undefined;
  /** Of the runs of all segments in order; of none where they are more than one piece of work, or nobody needs them beside the whole. */
  readonly judged: readonly Reading[];
  /** The runs of all segments in order, where none is judged yet: further work, for any worker. */
  readonly unjudged: readonly Run[];
  /** Share of the text's letters that are of scripts which the model does not know, from 0 to 1. Undefined without letters. */
  readonly foreignLetters: number | undefined;
  /** Where terms stand that always fail. Absent where no terms were given. */
  readonly blockedTerms?: readonly TermPlace[] | undefined;
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
export type PortionOutcome<Run> = readonly (WorkResult<Run> | WorkFailure)[];
