/** Turns probabilities into the verdict that a caller gets. Pure functions; every number in them comes from the manifest. */
import type { TextRange } from '../inference/classifier.js';
import type { Calibration } from '../inference/manifest.js';
import type { Label, Sentiment } from '../labels.js';
import { BLOCKED_TERM, CATEGORY_OF_LABEL, UNREADABLE, type Category, type LabelCategory } from './categories.js';
import { describe } from './description.js';
import { OTHER_LANGUAGE, type LabelProbabilities, type TextProbabilities } from './pooling.js';
import { failsText, type VerdictPolicy } from './verdict-policy.js';

export const BANDS = ['Safe', 'Moderate', 'Toxic'] as const;
export type Band = (typeof BANDS)[number];

export interface Verdict {
  readonly passed: boolean;
  /** 0 (safe) to 10 (highly toxic). */
  readonly score: number;
  readonly band: Band;
  readonly sentiment: Sentiment | 'toxic';
  readonly description: string;
  /** `blocked_term`, then strongest first, then `unreadable`. */
  readonly categories: readonly Category[];
}

/** What a verdict rests on. */
export interface JudgedText {
  readonly probabilities: TextProbabilities;
  /** Share of its letters, from 0 to 1, that are of scripts that the model does not know. Undefined for a text without letters. */
  readonly foreignLetters: number | undefined;
  /** Where terms stand that the policy blocks, as UTF-16 offsets into the text as it was sent. */
  readonly blockedTerms?: readonly TextRange[] | undefined;
}

/** The score from which on a text is not safe. */
export const FIRST_MODERATE_SCORE = 4;
const FIRST_TOXIC_SCORE = 7;

/**
 * A text is unreadable where more than this share of its letters is foreign (what was read is the smaller part), or where it is at least this
 * probable that it is in none of the model's languages.
 */
const MOSTLY = 0.5;

/** The score is the model's alone; the policy decides what is detected and what fails. */
export function judge(text: JudgedText, calibration: Calibration, policy: VerdictPolicy): Verdict {
  const { probabilities } = text;
  const score = textScoreOf(probabilities, calibration);
  const band = bandOf(score);
  const found = categoriesOf(probabilities, calibration, policy, score);
  const detected = found.filter((category) => policy.categories[category].action !== 'ignore');
  const unreadable = unreadableFor(text);
  const blocking = detected.filter((category) => failsText(policy.categories[category]));
  const scoreTooHigh = score > policy.passMaxScore;
  const unreadableFails = unreadable !== undefined && policy.unreadable === 'fail';
  const hasBlockedTerm = text.blockedTerms !== undefined && text.blockedTerms.length > 0;
  const passed = !scoreTooHigh && blocking.length === 0 && !unreadableFails && !hasBlockedTerm;
  return {
    passed,
    score,
    band,
    sentiment: band === 'Toxic' ? 'toxic' : likeliest(probabilities.sentiments),
    description: describe({
      passed,
      score,
      band,
      detected,
      blocking,
      hasIgnored: detected.length < found.length,
      hasBlockedTerm,
      scoreTooHigh,
      passMaxScore: policy.passMaxScore,
      unreadable,
      unreadableFails,
      unreadTokens: probabilities.unread,
    }),
    categories: [
      ...(hasBlockedTerm ? ([BLOCKED_TERM] as const) : []),
      ...detected,
      ...(unreadable !== undefined ? ([UNREADABLE] as const) : []),
    ],
  };
}

/** Why a text cannot be read, if it cannot. What has no letters is in no language. */
function unreadableFor({ probabilities: { language }, foreignLetters }: JudgedText): 'script' | 'language' | undefined {
  if (foreignLetters === undefined) return undefined;
  if (foreignLetters > MOSTLY) return 'script';
  const isOther = language?.tag === OTHER_LANGUAGE && language.probability >= MOSTLY;
  return isOther ? 'language' : undefined;
}

/** Toxicity, raised by labels that are worse than it: 0 to 1. */
export function riskOf(labels: LabelProbabilities, calibration: Calibration): number {
  let risk = labels.get('toxicity') ?? 0;
  for (const [label, probability] of labels) {
    const curve = calibration.riskCurves[label];
    if (curve !== undefined) risk = Math.max(risk, interpolate(curve, probability));
  }
  return risk;
}

/** The number of knots at or below the risk: 0 to 10. */
export function scoreOf(risk: number, calibration: Calibration): number {
  let score = 0;
  for (const knot of calibration.scoreKnots) if (risk >= knot) score += 1;
  return score;
}

/** That of the risk; but what is severely toxic is not safe, even where a calibration gives it less risk than that. */
function textScoreOf({ labels }: TextProbabilities, calibration: Calibration): number {
  const score = scoreOf(riskOf(labels, calibration), calibration);
  const isSevere = (labels.get('severe_toxicity') ?? 0) >= calibration.thresholds.severe_toxicity;
  return isSevere ? Math.max(score, FIRST_MODERATE_SCORE) : score;
}

export function bandOf(score: number): Band {
  if (score < FIRST_MODERATE_SCORE) return 'Safe';
  return score < FIRST_TOXIC_SCORE ? 'Moderate' : 'Toxic';
}

/** Least probability of a label that counts as detected: what the policy says, else the calibration. */
export function thresholdOf(label: Label, policy: VerdictPolicy, calibration: Calibration): number {
  return policy.categories[CATEGORY_OF_LABEL[label]].threshold ?? calibration.thresholds[label];
}

/** Labels at or above their own threshold, the most probable first. */
export function detectedLabels(
  { labels }: TextProbabilities,
  calibration: Calibration,
  policy: VerdictPolicy,
): Label[] {
  const detected: { readonly label: Label; readonly probability: number }[] = [];
  for (const [label, probability] of labels) {
    if (probability >= thresholdOf(label, policy, calibration)) detected.push({ label, probability });
  }
  return detected.sort((one, other) => other.probability - one.probability).map(({ label }) => label);
}

/**
 * `toxic` where the score is that of a text that is not safe, or as the policy's own threshold has it. A text that is not safe has one
 * category at least: a manifest's curves may give it its score below every threshold.
 */
function categoriesOf(
  probabilities: TextProbabilities,
  calibration: Calibration,
  policy: VerdictPolicy,
  score: number,
): LabelCategory[] {
  const followsScore = policy.categories.toxic.threshold === undefined;
  const isSafe = bandOf(score) === 'Safe';
  const detected = detectedLabels(probabilities, calibration, policy).filter(
    (label) => label !== 'toxicity' || !isSafe || !followsScore,
  );
  return detected.length === 0 && !isSafe && followsScore
    ? ['toxic']
    : detected.map((label) => CATEGORY_OF_LABEL[label]);
}

function likeliest(sentiments: ReadonlyMap<Sentiment, number>): Sentiment {
  let likeliest: Sentiment = 'neutral';
  let highest = -1;
  for (const [sentiment, probability] of sentiments) {
    if (probability <= highest) continue;
    likeliest = sentiment;
    highest = probability;
  }
  return likeliest;
}

/** Piecewise linear through [x, y] points sorted by x; constant beyond the ends. */
function interpolate(curve: readonly (readonly [number, number])[], x: number): number {
  let previous = curve[0] ?? [0, 0];
  if (x <= previous[0]) return previous[1];
  for (const point of curve) {
    if (x <= point[0]) {
      const width = point[0] - previous[0];
      return width === 0 ? point[1] : previous[1] + ((x - previous[0]) / width) * (point[1] - previous[1]);
    }
    previous = point;
  }
  return previous[1];
}
