/**
 * How the segments of a text make the text. Per label one monotone function, whose weights the training pipeline fits:
 *
 *     z = bias + highest * h(p1) + whole * h(pw) + second * h(p2) + rest * mean h(p3, p4, …) - count * ln n
 *     h(p) = logit(max(p, epsilon)) - logit(epsilon)
 *
 * where p1 >= p2 >= … are the label's probabilities in the n segments, pw that in the whole text, or p1 where the whole was not read; what a
 * text lacks counts 0, and so does ln n where the whole was read. The text's probability is the sigmoid
 * of z. Its Python counterpart fits the weights: models/training/parapet_training/pooling.py. Pure functions.
 */
import type { Classification } from '../inference/classifier.js';
import type { Manifest, Pooling } from '../inference/manifest.js';
import type { Label, Sentiment } from '../labels.js';
import type { TextProbabilities } from './probabilities.js';

export function poolSegments(
  { segments, whole }: Pick<Classification, 'segments' | 'whole'>,
  manifest: Manifest,
): TextProbabilities {
  const { pooling } = manifest.calibration;
  const labels = new Map<Label, number>();
  manifest.labels.forEach((label, index) => {
    const probabilities = segments.map((segment) => segment.labels[index] ?? 0);
    labels.set(
      label,
      pooling === undefined ? Math.max(...probabilities) : pooled(probabilities, whole?.labels[index], label, pooling),
    );
  });
  // A segment without tokens still has an opinion: weight 1 keeps the mean defined.
  const sources = whole === undefined ? segments : [whole];
  const weights = sources.map(({ tokens }) => Math.max(1, tokens));
  const total = sumOf(weights);
  const sentiments = new Map<Sentiment, number>();
  manifest.sentiments.forEach((sentiment, index) => {
    const weighted = sources.map((segment, row) => (segment.sentiments[index] ?? 0) * (weights[row] ?? 0));
    sentiments.set(sentiment, sumOf(weighted) / total);
  });
  return { labels, sentiments, unread: sumOf(sources.map(({ unreadTokens }) => unreadTokens)) / total };
}

function pooled(
  probabilities: readonly number[],
  whole: number | undefined,
  label: Label,
  { epsilon, labels }: Pooling,
): number {
  const weights = labels[label];
  if (weights === undefined) throw new Error(`the manifest has no pooling of ${label}`);
  const height = (probability: number): number =>
    logit(Math.min(Math.max(probability, epsilon), MOST_CERTAIN)) - logit(epsilon);
  const [highest = 0, second = 0, ...rest] = probabilities.map(height).sort((one, other) => other - one);
  const z =
    weights.bias +
    weights.highest * highest +
    weights.whole * (whole === undefined ? highest : height(whole)) +
    weights.second * second +
    weights.rest * (rest.length === 0 ? 0 : sumOf(rest) / rest.length) -
    weights.count * (whole === undefined ? Math.log(probabilities.length) : 0);
  return 1 / (1 + Math.exp(-z));
}

/** Keeps log-odds finite; no float32 below 1 is nearer to it. */
const MOST_CERTAIN = 1 - 2 ** -24;

function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
