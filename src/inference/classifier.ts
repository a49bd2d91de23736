/** What a model runtime offers to the rest of the service. One contract test suite holds for every implementation. */
import type { Asker } from '../asker.js';
import type { Manifest } from './manifest.js';

/** Probabilities of one window of a text, in the order of the manifest's `labels` and `sentiments`. */
export interface WindowProbabilities {
  /** UTF-16 offsets of the stretch of text that the window covers. */
  readonly start: number;
  readonly end: number;
  /** Tokens in the window, without the frame. */
  readonly tokens: number;
  /** How many of these the model does not know, and did not read: words in other scripts, mostly. */
  readonly unreadTokens: number;
  /** One value from 0 to 1 per label, independent of each other. */
  readonly labels: readonly number[];
  /** One value from 0 to 1 per sentiment, summing to 1. */
  readonly sentiments: readonly number[];
}

/** Where the time of one call went, in milliseconds. */
export interface ClassifyTimings {
  /** Waiting and messages: what is neither of the others. */
  readonly queueMs: number;
  readonly tokenizeMs: number;
  /** Arithmetic of all workers together: for a long text more than the time that passed. */
  readonly inferMs: number;
}

export interface Classification {
  /** Per text, its windows in text order: at least one each. */
  readonly texts: readonly (readonly WindowProbabilities[])[];
  readonly timings: ClassifyTimings;
}

/** With a signal, which gives the call up: its place in the queue is free at once, and nothing more of it is begun. */
export interface ClassifyOptions extends Asker {
  /** The call belongs to a request of which a part is judged already: it is not refused for a full queue. */
  readonly followsUp?: boolean;
  /**
   * Makes versions of the one text, the text itself first. They are cut where that is cut, and what they have in common is judged once.
   * Called when a worker is free for it, so that what is refused has cost nothing.
   */
  readonly versionsOf?: (text: string) => readonly string[];
}

export interface ClassifierStats {
  readonly waiting: number;
  readonly workerRestarts: number;
}

export interface Classifier {
  readonly manifest: Manifest;
  /**
   * Judges several texts in one go, of any length each; with `versionsOf`, one text in several versions.
   *
   * @returns an entry for each text, or for each version
   * @throws ServiceError `queue_full` when too much is waiting: at once, or later when another project is owed the place;
   * `model_not_ready` when the model cannot answer. The signal's reason when it aborts
   */
  classify(texts: readonly string[], options?: ClassifyOptions): Promise<Classification>;
  stats(): ClassifierStats;
  /** False from a failure of the model or its workers on, until they answer again, which they are asked to of themselves. */
  isAnswering(): boolean;
  /**
   * Answers what was accepted, then frees the model. With `abandon` it only waits until no arithmetic is under way, and what was
   * accepted fails. May be called twice, and to abandon what an earlier call still answers.
   */
  close(how?: 'answer' | 'abandon'): Promise<void>;
}
