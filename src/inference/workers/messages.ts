/** The messages between the pool and its worker threads. Types only: both sides import it, neither the other. */
import type { TermsPlace } from '../../text/terms/compiled-terms.js';
import type { Prediction, TextRange } from '../classifier.js';
import type { CheckedFile } from '../checked-files.js';

/** `exited`: the network is so certain that the text is harmless that it computed no further. */
export type SequencePrediction = Prediction & { readonly exited?: boolean };

/** What every worker is started with, beside what its runtime adds. */
export interface WorkerSettings {
  /** Most tokens of a sequence, [CLS] and [SEP] included. */
  readonly maxTokens: number;
  /** Most sequences that the model judges side by side. */
  readonly maxTexts: number;
  /** That the model knows, by their names in Unicode. */
  readonly scripts: readonly string[];
  /** Shared: as soon as its only element is not 0, workers give up what they have, at the next batch. */
  readonly abandoned: Int32Array;
  /** Of the model. */
  readonly files: readonly CheckedFile[];
}

/** A text to read, or sequences of such a text to judge. A worker is given several tasks at once: to wake a thread costs more than to carry one more. */
export type Task<Sequence> = TextTask | { readonly sequences: readonly Sequence[] };

export interface TextTask {
  readonly text: string;
  readonly terms?: TermsPlace | undefined;
  /** Whether its segments are wanted, also where the whole tells all else. */
  readonly spans?: boolean | undefined;
}

export interface TaskResult<Sequence> {
  /** Of the text, where it has several segments and the network can read them at once. */
  readonly whole: SequencePrediction | undefined;
  /** Of the sequences of all segments in order; of none where they are more than one task, or nobody needs them beside the whole. */
  readonly judged: readonly Prediction[];
  /** The sequences of all segments in order, where none is judged yet: further tasks, for any worker. */
  readonly unjudged: readonly Sequence[];
  /** Share of the text's letters that are of scripts which the model does not know, from 0 to 1. Undefined without letters. */
  readonly foreignLetters: number | undefined;
  /** Where terms stand that always fail. Absent where no terms were given. */
  readonly blockedTerms?: readonly TextRange[] | undefined;
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
export interface TaskFailure {
  /** Holds nothing of a text. */
  readonly failure: string;
}

export type TaskOutcome<Sequence> = TaskResult<Sequence> | TaskFailure;

/** @returns the outcome of each task, in their order */
export type DoTasks<Sequence> = (tasks: readonly Task<Sequence>[]) => Promise<readonly TaskOutcome<Sequence>[]>;
