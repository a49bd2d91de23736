/** How well a probability puts positives above negatives, at every threshold at once. Pure; ties count as in scikit-learn. */
import { ratio } from './decision.js';
import { createScoreColumn, unitWeights, type ScoredRows, type Weights } from './scored-rows.js';

export interface Example {
  /** 0 to 1. */
  readonly probability: number;
  readonly positive: boolean;
}

export interface Ranking {
  /**
   * Area under the ROC curve, by the trapezoidal rule: the chance that a positive ranks above a negative, a tie counting one half.
   * Equals scikit-learn's roc_auc_score. `null` without examples of both kinds.
   */
  readonly rocAuc: number | null;
  /**
   * Precision at each threshold, weighted by the recall that it adds; no interpolation. Equals scikit-learn's
   * average_precision_score. `null` without positives.
   */
  readonly averagePrecision: number | null;
}

export function rankingOf({ positives, tieEnds }: ScoredRows, weights: Weights): Ranking {
  let truePositives = 0;
  let falsePositives = 0;
  let area = 0;
  let precisions = 0;
  let index = 0;
  for (const end of tieEnds) {
    let tied = 0;
    let tiedPositives = 0;
    for (; index < end; index += 1) {
      const weight = weights[index] ?? 0;
      tied += weight;
      tiedPositives += weight * (positives[index] ?? 0);
    }
    if (tied === 0) continue;
    area += (tied - tiedPositives) * (truePositives + tiedPositives / 2);
    truePositives += tiedPositives;
    falsePositives += tied - tiedPositives;
    precisions += tiedPositives * (truePositives / (truePositives + falsePositives));
  }
  return { rocAuc: ratio(area, truePositives * falsePositives), averagePrecision: ratio(precisions, truePositives) };
}

export function rocAuc(examples: readonly Example[]): number | null {
  return plainRanking(examples).rocAuc;
}

export function averagePrecision(examples: readonly Example[]): number | null {
  return plainRanking(examples).averagePrecision;
}

function plainRanking(examples: readonly Example[]): Ranking {
  const column = createScoreColumn();
  for (const { probability, positive } of examples) column.add(probability, positive);
  const rows = column.sorted();
  return rankingOf(rows, unitWeights(rows));
}
