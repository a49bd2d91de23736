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
import type { Classification, Reading } from '../inference/classifier.js';
import type { Manifest, Pooling } from '../inference/manifest.js';
import type { Label, Sentiment } from '../labels.js';
import { OTHER_LANGUAGE, type TextLanguage, type TextProbabilities } from './probabilities.js';

export function poolReadings(
  { readings, whole }: Pick<Classification, 'readings' | 'whole'>,
  manifest: Manifest,
): TextProbabilities {
  const { pooling, languageShifts } = manifest.calibration;
  const sources = whole === undefined ? readings : [whole];
  const languages = meanByTokens(sources, (reading) => reading.languages ?? []);
  const shiftOf = (label: Label): number => {
    const shifts = languageShifts?.[label];
    return shifts === undefined
      ? 0
      : sumOf(manifest.languages.map((tag, index) => (languages[index] ?? 0) * (shifts[tag] ?? 0)));
  };
  const labels = new Map<Label, number>();
  manifest.labels.forEach((label, index) => {
    const worst = readings.map((reading) => (reading.highest ?? reading.labels)[index] ?? 0);
    const asOne = sources.map((reading) => reading.labels[index] ?? 0);
    labels.set(
      label,
      pooling === undefined
        ? Math.max(...worst)
        : pooled(worst, {
            label,
            pooling,
            whole: Math.max(...asOne),
            wasRead: whole !== undefined,
            shift: shiftOf(label),
          }),
    );
  });
  const ofSentiments = meanByTokens(sources, (reading) => reading.sentiments);
  const sentiments = new Map<Sentiment, number>();
  manifest.sentiments.forEach((sentiment, index) => sentiments.set(sentiment, ofSentiments[index] ?? 0));
  const language = likeliestLanguage(languages, manifest);
  return {
    labels,
    sentiments,
    unread: sumOf(sources.map(({ unreadTokens }) => unreadTokens)) / sumOf(sources.map(weightOf)),
    ...(language && { language }),
  };
}

/** A reading without tokens still has an opinion: weight 1 keeps the mean defined. */
function weightOf({ tokens }: Reading): number {
  return Math.max(1, tokens);
}

function meanByTokens(readings: readonly Reading[], valuesOf: (reading: Reading) => readonly number[]): number[] {
  let total = 0;
  for (const reading of readings) total += weightOf(reading);
  const [first] = readings;
  return (first === undefined ? [] : valuesOf(first)).map((_, index) => {
    let sum = 0;
    for (const reading of readings) sum += (valuesOf(reading)[index] ?? 0) * weightOf(reading);
    return sum / total;
  });
}

function likeliestLanguage(languages: readonly number[], manifest: Manifest): TextLanguage | undefined {
  if (languages.length === 0) return undefined;
  const probability = Math.max(...languages);
  return { tag: manifest.languages[languages.indexOf(probability)] ?? OTHER_LANGUAGE, probability };
}

interface LabelPooling {
  readonly label: Label;
  readonly pooling: Pooling;
  /** In the whole text, or the highest of a segment. */
  readonly whole: number;
  readonly wasRead: boolean;
  readonly shift: number;
}

/** @param worst of each reading the probability of the label in its worst segment */
function pooled(worst: readonly number[], { label, pooling, whole, wasRead, shift }: LabelPooling): number {
  const { epsilon, labels } = pooling;
  const weights = labels[label];
  if (weights === undefined) throw new Error(`the manifest has no pooling of ${label}`);
  const height = (probability: number): number =>
    logit(Math.min(Math.max(probability, epsilon), MOST_CERTAIN)) - logit(epsilon);
  // Not sorted: V8 sorts by way of copies, and this is done for each label of each text. No height is below 0.
  let highest = 0;
  let second = 0;
  let rest = 0;
  for (const probability of worst) {
    const value = height(probability);
    rest += Math.min(value, second);
    if (value > highest) {
      second = highest;
      highest = value;
    } else if (value > second) second = value;
  }
  const z =
    weights.bias +
    weights.highest * highest +
    weights.whole * height(whole) +
    weights.second * second +
    weights.rest * (worst.length <= 2 ? 0 : rest / (worst.length - 2)) -
    weights.count * (wasRead ? 0 : Math.log(worst.length)) +
    shift;
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
