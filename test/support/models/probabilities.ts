/** Probabilities of all labels and sentiments, for tests that care about some of them. */
import { LABELS } from '../../../src/labels.js';
import type { TextProbabilities } from '../../../src/moderation/pooling.js';

/** @param others of the labels that are not given */
export function probabilitiesOf(labels: Readonly<Record<string, number>>, others: number): TextProbabilities {
  return {
    labels: new Map(LABELS.map((label) => [label, labels[label] ?? others])),
    sentiments: new Map([['neutral', 1]]),
    unread: 0,
  };
}
