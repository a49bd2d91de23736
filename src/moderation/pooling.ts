/**
 * How what the network read of a text makes the text. Per label one monotone function, whose weights the training pipeline fits:
 *
 *     z = bias + highest * h(p1) + whole * h(pw) + second * h(p2) + rest * mean h(p3, p4, …) - count * ln n
 *     h(p) = logit(max(p, epsilon)) - logit(epsilon)
 *
 * where p1 >= p2 >= … are the label's probabilities in the n segments, or p1 alone what the whole tells of the worst of them. pw is that in the
 * whole text, or p1 where the whole was not read. What a text lacks counts 0, and so does ln n where the whole was read. A model of several
 * languages adds the mean of the label's `languageShifts`, each weighted by the probability of its language: none flips a verdict where the
 * language is in doubt. The text's probability is the sigmoid of z. Its Python counterpart fits the weights:
 * models/training/parapet_training/pooling.py. Pure functions.
 */
import type { Classification, Prediction } from '../inference/classifier.js';
import type { Manifest, Pooling } from '../inference/manifest.js';
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

export type Pool = (read: Pick<Classification, 'predictions' | 'whole'>) => TextProbabilities;

/** What one label takes from what was read. */
interface LabelPooling {
  readonly label: Label;
  /** Absent in a manifest of format 1: the strongest segment is the text then. */
  readonly weights: Pooling['labels'][Label];
  /** In log-odds, in the order of the manifest's languages. */
  readonly shifts: readonly number[];
}

export function createPooling(manifest: Manifest): Pool {
  const { pooling, languageShifts = {} } = manifest.calibration;
  const poolings = manifest.labels.map((label): LabelPooling => {
    const shiftOf = languageShifts[label];
    return {
      label,
      weights: pooling?.labels[label],
      shifts: shiftOf === undefined ? [] : manifest.languages.map((tag) => shiftOf[tag] ?? 0),
    };
  });
  const heightOf = heightsFrom(pooling?.epsilon ?? 0);

  return ({ predictions, whole }) => {
    const sources = whole === undefined ? predictions : [whole];
    const languages = meanByTokens(sources, (prediction) => prediction.languages ?? []);
    const labels = new Map<Label, number>();
    poolings.forEach(({ label, weights, shifts }, index) => {
      if (weights === undefined) {
        labels.set(label, strongest(predictions, index, inWorstSegment));
        return;
      }
      const { highest, second, rest } = heightsOf(predictions, index, heightOf);
      const z =
        weights.bias +
        weights.highest * highest +
        weights.whole * heightOf(strongest(sources, index, inAll)) +
        weights.second * second +
        weights.rest * rest -
        weights.count * (whole === undefined ? Math.log(predictions.length) : 0) +
        weightedSum(shifts, languages);
      labels.set(label, 1 / (1 + Math.exp(-z)));
    });
    const ofSentiments = meanByTokens(sources, (prediction) => prediction.sentiments);
    const sentiments = new Map<Sentiment, number>();
    manifest.sentiments.forEach((sentiment, index) => sentiments.set(sentiment, ofSentiments[index] ?? 0));
    const language = likeliestLanguage(languages, manifest);
    return { labels, sentiments, unread: unreadShare(sources), ...(language && { language }) };
  };
}

type LabelsOf = (prediction: Prediction) => readonly number[];
const inAll: LabelsOf = ({ labels }) => labels;
const inWorstSegment: LabelsOf = ({ labels, highest = labels }) => highest;

function strongest(predictions: readonly Prediction[], index: number, labelsOf: LabelsOf): number {
  let most = 0;
  for (const prediction of predictions) most = Math.max(most, labelsOf(prediction)[index] ?? 0);
  return most;
}

/** Keeps log-odds finite; no float32 below 1 is nearer to it. */
const MOST_CERTAIN = 1 - 2 ** -24;

/** The function h above. */
function heightsFrom(epsilon: number): (probability: number) => number {
  const floor = logit(epsilon);
  return (probability) => logit(Math.min(Math.max(probability, epsilon), MOST_CERTAIN)) - floor;
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

interface Heights {
  readonly highest: number;
  readonly second: number;
  /** The mean of all others. */
  readonly rest: number;
}

/** Not sorted: V8 sorts by way of copies, and this is done for each label of each text. No height is below 0. */
function heightsOf(
  predictions: readonly Prediction[],
  index: number,
  heightOf: (probability: number) => number,
): Heights {
  let highest = 0;
  let second = 0;
  let rest = 0;
  for (const prediction of predictions) {
    const height = heightOf(inWorstSegment(prediction)[index] ?? 0);
    rest += Math.min(height, second);
    if (height > highest) {
      second = highest;
      highest = height;
    } else if (height > second) second = height;
  }
  return { highest, second, rest: predictions.length <= 2 ? 0 : rest / (predictions.length - 2) };
}

function weightedSum(values: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += (values[index] ?? 0) * (weights[index] ?? 0);
  return sum;
}

/** What has no tokens still has an opinion: weight 1 keeps the mean defined. */
function weightOf({ tokens }: Prediction): number {
  return Math.max(1, tokens);
}

function meanByTokens(
  predictions: readonly Prediction[],
  valuesOf: (prediction: Prediction) => readonly number[],
): readonly number[] {
  const [first] = predictions;
  if (first === undefined) return [];
  if (predictions.length === 1) return valuesOf(first);
  let total = 0;
  for (const prediction of predictions) total += weightOf(prediction);
  return valuesOf(first).map((_, index) => {
    let sum = 0;
    for (const prediction of predictions) sum += (valuesOf(prediction)[index] ?? 0) * weightOf(prediction);
    return sum / total;
  });
}

function unreadShare(predictions: readonly Prediction[]): number {
  let unread = 0;
  let tokens = 0;
  for (const prediction of predictions) {
    unread += prediction.unreadTokens;
    tokens += weightOf(prediction);
  }
  return unread / tokens;
}

function likeliestLanguage(languages: readonly number[], manifest: Manifest): TextLanguage | undefined {
  if (languages.length === 0) return undefined;
  const probability = Math.max(...languages);
  return { tag: manifest.languages[languages.indexOf(probability)] ?? OTHER_LANGUAGE, probability };
}
