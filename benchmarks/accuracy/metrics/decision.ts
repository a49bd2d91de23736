/**
 * Figures of a yes-or-no decision, from its confusion matrix; they equal scikit-learn's. Pure; a figure whose denominator is zero is
 * `null`, never a guess.
 */

export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
}

export interface DecisionFigures {
  /** Of the flagged, how many are positive. */
  readonly precision: number | null;
  /** Of the positive, how many are flagged. */
  readonly recall: number | null;
  readonly f1: number | null;
  readonly accuracy: number | null;
}

export function decisionFigures(confusion: Confusion): DecisionFigures {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = confusion;
  const all = truePositives + falsePositives + falseNegatives + trueNegatives;
  return {
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, truePositives + falseNegatives),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
    accuracy: ratio(truePositives + trueNegatives, all),
  };
}

export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
