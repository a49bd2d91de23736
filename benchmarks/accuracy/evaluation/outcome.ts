/** What was decided about a row, packed into one byte: all that decisions are counted from, for millions of rows at a time. */
import type { Confusion } from '../metrics/decision.js';
import type { ScoredRows, Weights } from '../metrics/scored-rows.js';

export interface Outcome {
  readonly passed: boolean;
  /** Whether the category of the label was detected. */
  readonly detected: boolean;
  /** Whether a category that fails a text at any score was detected. */
  readonly blocked: boolean;
  /** 0 to 10. */
  readonly score: number;
}

export function packOutcome({ passed, detected, blocked, score }: Outcome): number {
  if (!Number.isInteger(score) || score < 0 || score > 10) throw new RangeError(`${score} is no score`);
  return (passed ? 1 : 0) | (detected ? 2 : 0) | (blocked ? 4 : 0) | (score << 3);
}

const OUTCOMES: readonly Outcome[] = Array.from({ length: 128 }, (_, packed) => ({
  passed: (packed & 1) !== 0,
  detected: (packed & 2) !== 0,
  blocked: (packed & 4) !== 0,
  score: packed >> 3,
}));

export function unpackOutcome(packed: number): Outcome {
  const outcome = OUTCOMES[packed];
  if (outcome === undefined) throw new RangeError(`${packed} is no packed outcome`);
  return outcome;
}

/** Rows per outcome, those of positives and negatives apart. */
export interface OutcomeCounts {
  readonly positives: Float64Array;
  readonly negatives: Float64Array;
}

/** @param outcomes packed, one for each of the sorted rows */
export function countOutcomes({ positives }: ScoredRows, outcomes: Uint8Array, weights: Weights): OutcomeCounts {
  const counts = { positives: new Float64Array(OUTCOMES.length), negatives: new Float64Array(OUTCOMES.length) };
  for (let index = 0; index < outcomes.length; index += 1) {
    const outcome = outcomes[index] ?? 0;
    const side = positives[index] === 1 ? counts.positives : counts.negatives;
    side[outcome] = (side[outcome] ?? 0) + (weights[index] ?? 0);
  }
  return counts;
}

export function confusionOf({ positives, negatives }: OutcomeCounts, flags: (outcome: Outcome) => boolean): Confusion {
  let [truePositives, falsePositives, falseNegatives, trueNegatives] = [0, 0, 0, 0];
  OUTCOMES.forEach((outcome, packed) => {
    const [positive, negative] = [positives[packed] ?? 0, negatives[packed] ?? 0];
    if (flags(outcome)) {
      truePositives += positive;
      falsePositives += negative;
    } else {
      falseNegatives += positive;
      trueNegatives += negative;
    }
  });
  return { truePositives, falsePositives, falseNegatives, trueNegatives };
}

/** What flagging all rows at or above a threshold would do. */
export function confusionAt(threshold: number, { probabilities, positives }: ScoredRows, weights: Weights): Confusion {
  let [truePositives, falsePositives, falseNegatives, trueNegatives] = [0, 0, 0, 0];
  for (let index = 0; index < probabilities.length; index += 1) {
    const weight = weights[index] ?? 0;
    if ((probabilities[index] ?? 0) >= threshold) {
      if (positives[index] === 1) truePositives += weight;
      else falsePositives += weight;
    } else if (positives[index] === 1) falseNegatives += weight;
    else trueNegatives += weight;
  }
  return { truePositives, falsePositives, falseNegatives, trueNegatives };
}
