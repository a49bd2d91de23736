/** What a cell of a column of sentiments means. Knows nothing of files or predictions. */
import { type Sentiment, SENTIMENTS } from 'parapet/engine';

/** Names as they are, or TweetEval's numbers: https://github.com/cardiffnlp/tweeteval, datasets/sentiment/mapping.txt */
export function sentimentOf(label: string): Sentiment | undefined {
  const value = label.trim().toLowerCase();
  const numbered: Readonly<Record<string, Sentiment>> = { '0': 'negative', '1': 'neutral', '2': 'positive' };
  return SENTIMENTS.find((name) => name === value) ?? numbered[value];
}
