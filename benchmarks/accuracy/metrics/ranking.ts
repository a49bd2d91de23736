/** How well a probability puts positives above negatives, at every threshold at once. Pure; ties count as in scikit-learn. */

export interface Example {
  /** 0 to 1. */
  readonly probability: number;
  readonly positive: boolean;
}

/** What is flagged when all examples at or above the threshold are. */
interface Step {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
}

/** One step per distinct probability, the highest first: examples with equal probability are flagged together or not at all. */
function stepsOf(examples: readonly Example[]): Step[] {
  const steps: Step[] = [];
  let truePositives = 0;
  let falsePositives = 0;
  for (const { probability, positive } of examples.toSorted((a, b) => b.probability - a.probability)) {
    if (positive) truePositives += 1;
    else falsePositives += 1;
    if (steps.at(-1)?.threshold === probability) steps.pop();
    steps.push({ threshold: probability, truePositives, falsePositives });
  }
  return steps;
}

/**
 * Area under the ROC curve, by the trapezoidal rule: the chance that a positive ranks above a negative, a tie counting one half.
 * Equals scikit-learn's roc_auc_score. `null` without examples of both kinds.
 */
export function rocAuc(examples: readonly Example[]): number | null {
  const steps = stepsOf(examples);
  const last = steps.at(-1);
  if (last === undefined || last.truePositives === 0 || last.falsePositives === 0) return null;
  let area = 0;
  let previous = { truePositives: 0, falsePositives: 0 };
  for (const step of steps) {
    const width = step.falsePositives - previous.falsePositives;
    area += (width * (step.truePositives + previous.truePositives)) / 2;
    previous = step;
  }
  return area / (last.truePositives * last.falsePositives);
}

/**
 * Precision at each threshold, weighted by the recall that it adds; no interpolation. Equals scikit-learn's
 * average_precision_score. `null` without positives.
 */
export function averagePrecision(examples: readonly Example[]): number | null {
  const steps = stepsOf(examples);
  const positives = steps.at(-1)?.truePositives ?? 0;
  if (positives === 0) return null;
  let sum = 0;
  let found = 0;
  for (const { truePositives, falsePositives } of steps) {
    sum += (truePositives - found) * (truePositives / (truePositives + falsePositives));
    found = truePositives;
  }
  return sum / positives;
}

export interface BestF1 {
  /** Flag what is at or above it. */
  readonly threshold: number;
  readonly f1: number;
}

/** The threshold with the highest F1, of equal ones the highest. `null` without positives. */
export function bestF1(examples: readonly Example[]): BestF1 | null {
  const steps = stepsOf(examples);
  const positives = steps.at(-1)?.truePositives ?? 0;
  if (positives === 0) return null;
  let best: BestF1 | null = null;
  for (const { threshold, truePositives, falsePositives } of steps) {
    const f1 = (2 * truePositives) / (truePositives + falsePositives + positives);
    if (best === null || f1 > best.f1) best = { threshold, f1 };
  }
  return best;
}
