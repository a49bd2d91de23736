/** What a verdict rests on. */
import type { Label, Sentiment } from '../labels.js';

export type LabelProbabilities = ReadonlyMap<Label, number>;
export type SentimentProbabilities = ReadonlyMap<Sentiment, number>;

/** What is in none of the languages that the model knows. */
export const OTHER_LANGUAGE = 'other';

/** The likeliest language of a text. */
export interface TextLanguage {
  /** A tag of BCP 47, or OTHER_LANGUAGE. */
  readonly tag: string;
  readonly probability: number;
}

export interface TextProbabilities {
  /** Per label of the model, from 0 to 1. */
  readonly labels: LabelProbabilities;
  /** Per sentiment, summing to 1. */
  readonly sentiments: SentimentProbabilities;
  /** Share of the text that the model could not read, from 0 to 1. */
  readonly unread: number;
  /** Absent where the model has one language. */
  readonly language?: TextLanguage;
}
