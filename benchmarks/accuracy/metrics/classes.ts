/** Figures of a choice among several classes. Pure. */
import { ratio } from './decision.js';
import type { Weights } from './scored-rows.js';

/** How many rows of each class were given which class, both in the order of the classes. */
export type ChoiceCounts = readonly (readonly number[])[];

export interface ChoiceFigures {
  /** Mean recall of the classes that occur. Equals scikit-learn's balanced_accuracy_score. */
  readonly macroRecall: number | null;
  readonly accuracy: number | null;
  /** Per class: of its rows, how many were given it; `null` where there is none. */
  readonly recalls: readonly (number | null)[];
}

/** What was chosen for a row, by the place of the class among the classes. */
export interface Choice {
  readonly truth: number;
  readonly chosen: number;
}

export function countChoices(choices: readonly Choice[], weights: Weights, classes: number): ChoiceCounts {
  const counts = Array.from({ length: classes }, () => Array<number>(classes).fill(0));
  choices.forEach(({ truth, chosen }, index) => {
    const row = counts[truth];
    if (row !== undefined) row[chosen] = (row[chosen] ?? 0) + (weights[index] ?? 0);
  });
  return counts;
}

export function choiceFigures(counts: ChoiceCounts): ChoiceFigures {
  const right = counts.map((row, index) => row[index] ?? 0);
  const sizes = counts.map(sumOf);
  const recalls = right.map((found, index) => ratio(found, sizes[index] ?? 0));
  const defined = recalls.filter((recall) => recall !== null);
  return {
    macroRecall: ratio(sumOf(defined), defined.length),
    accuracy: ratio(sumOf(right), sumOf(sizes)),
    recalls,
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
