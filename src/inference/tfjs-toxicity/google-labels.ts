/** How the seven labels of Google's toxicity model become labels and sentiments of ours. Pure functions; knows no TensorFlow. */
import { SENTIMENTS, type Label, type Sentiment } from '../../labels.js';
import { ModelOutputError } from '../workers/failure.js';

/** The heads of the model, in the order in which this runtime gives them. Their names are also names of ours. */
export const GOOGLE_LABELS = [
  'toxicity',
  'severe_toxicity',
  'obscene',
  'threat',
  'insult',
  'identity_attack',
  'sexual_explicit',
] as const satisfies readonly Label[];
export type GoogleLabel = (typeof GOOGLE_LABELS)[number];

/** What is said against somebody. Swearing and sexual words alone are no sentiment. */
const HOSTILE = ['toxicity', 'severe_toxicity', 'threat', 'insult', 'identity_attack'] as const;

/** What `ToxicityClassifier.classify` says of one head: per text, the probabilities of "does not apply" and "applies". */
export interface HeadPrediction {
  readonly label: string;
  readonly results: readonly { readonly probabilities: ArrayLike<number> }[];
}

/**
 * The probability of each label for the only text that was asked about, in the order of `GOOGLE_LABELS`.
 *
 * @throws ModelOutputError when a head is missing or gives no two-way probability: a wrong model must not become a verdict
 */
export function labelProbabilities(predictions: readonly HeadPrediction[]): number[] {
  return GOOGLE_LABELS.map((label) => {
    const heads = predictions.filter((prediction) => prediction.label === label);
    const [no = NaN, yes = NaN, ...others] = Array.from(heads[0]?.results[0]?.probabilities ?? []);
    if (heads.length !== 1 || others.length > 0)
      throw new ModelOutputError(`the model has no single two-way head ${label}`);
    if (!(no >= 0 && yes >= 0 && Math.abs(no + yes - 1) < 0.001))
      throw new ModelOutputError(`${label} gave no probability`);
    return Math.min(1, yes);
  });
}

/**
 * The model has no sentiment head, so this is all that it can know: `negative` is as probable as the most probable hostile label,
 * `neutral` is the rest, and `positive` is never said, because nothing in the model tells friendly from neutral.
 *
 * @param probabilities in the order of `GOOGLE_LABELS`
 * @returns probabilities in the order of `SENTIMENTS`
 */
export function sentimentProbabilities(probabilities: readonly number[]): number[] {
  const negative = Math.max(...HOSTILE.map((label) => probabilities[GOOGLE_LABELS.indexOf(label)] ?? 0));
  const sentiments: Readonly<Record<Sentiment, number>> = { positive: 0, negative, neutral: 1 - negative };
  return SENTIMENTS.map((sentiment) => sentiments[sentiment]);
}
