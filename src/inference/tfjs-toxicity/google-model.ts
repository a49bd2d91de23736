/**
 * What is fixed about Google's toxicity model: how its seven labels become labels and sentiments of ours, how its probabilities are read, and why.
 * Knows neither where it is kept nor how it runs.
 */
import { SENTIMENTS, type Label, type Sentiment } from '../../labels.js';
import type { StoredManifest } from '../manifest.js';
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

/** From which probability on `ToxicityClassifier` says `match: true`, unless it is told another threshold. */
const PACKAGE_THRESHOLD = 0.85;
/** Above it the model finds "applies" more probable than "does not apply". */
const EVEN = 0.5;

const CALIBRATION: StoredManifest['calibration'] = {
  thresholds: { ...Object.fromEntries(GOOGLE_LABELS.map((label) => [label, PACKAGE_THRESHOLD])), toxicity: EVEN },
  riskCurves: {
    threat: risesTo(EVEN),
    identity_attack: risesTo(EVEN),
    severe_toxicity: risesTo(PACKAGE_THRESHOLD),
  },
  scoreKnots: [0.125, 0.25, 0.375, EVEN, 0.6167, 0.7333, PACKAGE_THRESHOLD, 0.9, 0.95, 0.99],
};

/** A label at its own threshold counts as this much risk. */
function risesTo(risk: number): [number, number][] {
  return [
    [0, 0],
    [PACKAGE_THRESHOLD, risk],
    [1, 1],
  ];
}

const REASONS = {
  origin:
    'No validation data decided these numbers: they follow from what the package and its model mean by their probabilities. Fit them to texts of your own with parapet accuracy --fit-threshold.',
  toxicity: 'From 0.5 on the model finds the text more probably toxic than not.',
  otherLabels: 'From 0.85 on @tensorflow-models/toxicity says match: true, unless it is told another threshold.',
  scoreKnots:
    'Score 4 (Moderate) begins at 0.5 and score 7 (Toxic) at 0.85: the Moderate band is where the package says match: null although toxic is likelier. Below 0.5 steps are even, between 0.5 and 0.85 too.',
  riskCurves:
    'A threat or an identity attack at its threshold is Moderate, severe toxicity is Toxic, however toxic the text is otherwise.',
  pooling:
    'None: it takes long harmless texts, judged by the model itself, to know how much segments add up to. The strongest counts.',
  window: 'More tokens than any segment has.',
};

/** The manifest of a folder with this model. */
export function googleManifest(model: Pick<StoredManifest, 'id' | 'version' | 'files'>): StoredManifest {
  return {
    format: 1,
    ...model,
    runtime: 'tfjs-toxicity',
    labels: [...GOOGLE_LABELS],
    sentiments: [...SENTIMENTS],
    scripts: ['Latin'],
    window: { maxTokens: 256, maxTexts: 1 },
    calibration: CALIBRATION,
    measured: {},
    reasons: REASONS,
  };
}

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
