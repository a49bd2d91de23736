/** What a cell of the label column means. Knows nothing of files or predictions. */
import { SENTIMENTS, type Sentiment } from '../../src/labels.js';

/** Whether a label says "positive": equal to the given value, or by default 1, true or a number from 0.5 on. */
export function isPositive(label: string, positive: string | undefined): boolean {
  const value = label.trim();
  if (positive !== undefined) return value === positive;
  return value.toLowerCase() === 'true' || (isNumber(value) && Number(value) >= 0.5);
}

/**
 * Whether the default rule was made for this label; any other counts as negative, and the reader should hear of it: Jigsaw's test
 * file, for one, has -1 for "nobody looked".
 */
export function isPlainLabel(label: string): boolean {
  const value = label.trim();
  return /^(true|false)$/i.test(value) || (isNumber(value) && Number(value) >= 0);
}

/** Names as they are, or TweetEval's numbers: https://github.com/cardiffnlp/tweeteval, datasets/sentiment/mapping.txt */
export function sentimentOf(label: string): Sentiment | undefined {
  const value = label.trim().toLowerCase();
  const numbered: Readonly<Record<string, Sentiment>> = { '0': 'negative', '1': 'neutral', '2': 'positive' };
  return SENTIMENTS.find((name) => name === value) ?? numbered[value];
}

function isNumber(value: string): boolean {
  return value !== '' && Number.isFinite(Number(value));
}
