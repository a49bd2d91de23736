/** What a model runtime offers to the rest of the service. One contract test suite holds for every implementation. */
import type { Caller } from '../caller.js';
import type { Manifest } from './manifest.js';

/** UTF-16 offsets into the text as sent. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where what the network reads at once stands. */
export interface Placed extends TextRange {
  /** Index of the segment among those of its text; 0 for a whole text. */
  readonly segment: number;
}

/**
 * What the network says of one sequence: a segment of a text, or several. In the order of the manifest's `labels`, `sentiments`
 * and `languages`.
 */
export interface Prediction extends Placed {
  /** Without the frame. */
  readonly tokens: number;
  /** How many of these the network does not know, and did not read: words in other scripts, mostly. */
  readonly unreadTokens: number;
  /** One value from 0 to 1 per label, independent of each other: of all that was read. */
  readonly labels: readonly number[];
  /** The same of the worst of several segments. Absent where `labels` say it too: of one segment, or of several that are certainly harmless. */
  readonly highest?: readonly number[];
  /** One value from 0 to 1 per sentiment, summing to 1. */
  readonly sentiments: readonly number[];
  /** One value from 0 to 1 per language, and one for all others, summing to 1. Absent where the model has one language. */
  readonly languages?: readonly number[];
}

/** Where the time of one call went, in milliseconds. */
export interface ClassifyTimings {
  /** Waiting and messages: what is neither of the others. */
  readonly queueMs: number;
  /** Normalising and cutting into segments included. */
  readonly tokenizeMs: number;
  /** Arithmetic of all workers together: for a long text more than the time that passed. */
  readonly inferMs: number;
}

export interface Classification {
  /**
   * What the text's probabilities are made of, at least one: the whole where the network reads it at once and says what the worst
   * segment is, else the segments.
   */
  readonly predictions: readonly Prediction[];
  /** The text as a whole, where the predictions are of its segments and the network read them all at once as well. */
  readonly whole?: Prediction | undefined;
  /**
   * In text order, at least one, but what stands within tags comes last; several that are certainly harmless together are one. Absent where the only
   * prediction is of several and the caller wanted no spans.
   */
  readonly segments?: readonly Prediction[] | undefined;
  /** Share of the letters, once disguises are undone, that are of scripts which the model does not know, from 0 to 1. Undefined without letters. */
  readonly foreignLetters: number | undefined;
  /** Where the caller's terms that always fail stand. Absent where the caller has no terms. */
  readonly blockedTerms?: readonly TextRange[] | undefined;
  /** How many sequences the network read. */
  readonly sequences: number;
  readonly timings: ClassifyTimings;
}

export interface ClassifierStats {
  readonly waiting: number;
  readonly workerRestarts: number;
}

export interface Classifier {
  readonly manifest: Manifest;
  /**
   * Judges a text of any length: as a whole where the network can read it at once and say what the worst segment is, else segment by segment.
   *
   * @param caller its signal gives the call up: its place in the queue is free at once, and nothing more of it is begun
   * @throws ServiceError `queue_full` when too much is waiting: at once, or later when another project is owed the place;
   * `model_not_ready` when the model cannot answer. The signal's reason when it aborts
   */
  classify(text: string, caller?: Caller): Promise<Classification>;
  stats(): ClassifierStats;
  /** False from a failure of the model or its workers on, until they answer again, which they are asked to of themselves. */
  isAnswering(): boolean;
  /**
   * Answers what was accepted, then frees the model. With `abandon` it only waits until no arithmetic is under way, and what was
   * accepted fails. May be called twice, and to abandon what an earlier call still answers.
   */
  close(how?: 'answer' | 'abandon'): Promise<void>;
}
