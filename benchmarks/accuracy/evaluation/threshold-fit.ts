/** Finds the threshold or the `PASS_MAX_SCORE` that serves a target best on the caller's rows, and what it does on other rows. */
import { decisionFigures, type Confusion } from '../metrics/decision.js';
import { bestPoint, operatingPoints, type Target } from '../metrics/operating-points.js';
import { createRandomWords } from '../metrics/random-words.js';
import { unitWeights, type ScoredRows, type Weights } from '../metrics/scored-rows.js';
import type { Fit, Shares } from '../results.js';
import { confusionAt, confusionOf, countOutcomes } from './outcome.js';

const FOLDS = 5;

/** Something that can be fitted on some of the rows and tried on others. */
export interface Fitter {
  readonly setting: string;
  /** `null` when nothing meets the target. */
  fit(weights: Weights): number | null;
  try(value: number, weights: Weights): Confusion;
}

export interface FitOptions {
  readonly target: Target;
  readonly seed: number;
}

/** A text is flagged when its probability is at or above the value. */
export function fitThreshold(member: string, rows: ScoredRows, { target, seed }: FitOptions): Fit {
  const fitter: Fitter = {
    setting: member,
    fit(weights) {
      const points = operatingPoints(rows, weights);
      return bestPoint(points, points.at(-1)?.truePositives ?? 0, target)?.threshold ?? null;
    },
    try: (value, weights) => confusionAt(value, rows, weights),
  };
  return crossValidated(fitter, rows, seed);
}

const SCORES = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/** A text is flagged when its score is above the value, or when a blocking category was detected. */
export function fitPassMaxScore(rows: ScoredRows, outcomes: Uint8Array, { target, seed }: FitOptions): Fit {
  const confusion = (passMaxScore: number, weights: Weights): Confusion =>
    confusionOf(countOutcomes(rows, outcomes, weights), ({ score, blocked }) => blocked || score > passMaxScore);
  const fitter: Fitter = {
    setting: 'PASS_MAX_SCORE',
    fit(weights) {
      const points = SCORES.map((passMaxScore) => ({ passMaxScore, ...confusion(passMaxScore, weights) }));
      const [first] = points;
      const positives = first === undefined ? 0 : first.truePositives + first.falseNegatives;
      return bestPoint(points, positives, target)?.passMaxScore ?? null;
    },
    try: confusion,
  };
  return crossValidated(fitter, rows, seed);
}

const UNKNOWN: Shares = { precision: null, recall: null, f1: null };

export function crossValidated(fitter: Fitter, rows: ScoredRows, seed: number): Fit {
  const { setting } = fitter;
  const all = unitWeights(rows);
  const value = fitter.fit(all);
  if (value === null) return { setting, value, fitted: UNKNOWN, heldOut: UNKNOWN };
  const random = createRandomWords(seed);
  const folds = all.map(() => random() % FOLDS);
  const confusions = Array.from({ length: FOLDS }, (_, fold) => {
    const fittedValue = fitter.fit(folds.map((other) => (other === fold ? 0 : 1)));
    const heldOut = folds.map((other) => (other === fold ? 1 : 0));
    // Where nothing meets the target, nothing is flagged.
    return fittedValue === null ? confusionAt(Infinity, rows, heldOut) : fitter.try(fittedValue, heldOut);
  });
  return { setting, value, fitted: sharesOf(fitter.try(value, all)), heldOut: sharesOf(confusions.reduce(sum)) };
}

function sum(a: Confusion, b: Confusion): Confusion {
  return {
    truePositives: a.truePositives + b.truePositives,
    falsePositives: a.falsePositives + b.falsePositives,
    falseNegatives: a.falseNegatives + b.falseNegatives,
    trueNegatives: a.trueNegatives + b.trueNegatives,
  };
}

function sharesOf(confusion: Confusion): Shares {
  const { precision, recall, f1 } = decisionFigures(confusion);
  return { precision, recall, f1 };
}
