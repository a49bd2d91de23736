/** What a verdict rests on. Types only. */
import type { Label, Sentiment } from '../labels.js';

export type LabelProbabilities = ReadonlyMap<Label, number>;
export type SentimentProbabilities = ReadonlyMap<Sentiment, number>;

export interface TextProbabilities {
  /** Per label of the model, from 0 to 1. */
  readonly labels: LabelProbabilities;
  /** Per sentiment, summing to 1. */
  readonly sentiments: SentimentProbabilities;
  /** Share of the text that the model could not read, from 0 to 1. */
  readonly unread: number;
}
