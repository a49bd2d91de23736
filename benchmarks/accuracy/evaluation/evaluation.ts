/** What an evaluation is: it compares judgements with the truth, row by row, and sums them up. Knows nothing of files or formats. */
import { OperatorError } from 'parapet/engine';
import type { Judgement, Probabilities } from '../judges/judge.js';
import type { Target } from '../metrics/operating-points.js';
import type { ResamplingOptions } from '../metrics/resampling.js';
import type { BinaryFigures, SentimentFigures } from '../results.js';
import type { Curves } from './curves.js';
import type { GroupRows } from './group-rows.js';

export interface EvaluationOptions {
  readonly resampling: ResamplingOptions;
  /** What thresholds are fitted for; `undefined` to fit none. */
  readonly target: Target | undefined;
  /** The groups of the judged rows; `undefined` without a group column. */
  readonly groupRows: GroupRows | undefined;
}

export interface Evaluation<Truth, Figures = BinaryFigures | SentimentFigures> {
  add(row: { readonly row: number; readonly text: string }, truth: Truth, judgement: Judgement): void;
  /** To be asked once, when all rows are in: resampling takes its time. */
  finish(): Finding<Figures>;
}

export interface Finding<Figures = BinaryFigures | SentimentFigures> {
  readonly figures: Figures;
  readonly exhibits: Exhibits;
}

/** What reports show and the `--json` file leaves out: texts, and points of curves. */
export interface Exhibits {
  readonly mistakes: readonly MistakeList[];
  readonly curves: Curves | null;
}

export interface MistakeList {
  readonly title: string;
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  readonly row: number;
  readonly truth: string;
  /** The probability that the truth is judged by. */
  readonly probability: number;
  readonly score: number;
  readonly passed: boolean;
  readonly categories: readonly string[];
  readonly text: string;
}

export const MISTAKES_KEPT = 20;

export function mistakeOf(
  { row, text }: { readonly row: number; readonly text: string },
  truth: string,
  probability: number,
  { score, passed, categories }: Judgement,
): Mistake {
  return { row, truth, probability, score, passed, categories, text };
}

/** @throws OperatorError when the model does not know the name */
export function probabilityOf(probabilities: Probabilities, name: string): number {
  const probability = probabilities[name];
  if (probability === undefined) {
    const known = Object.keys(probabilities).join(', ');
    throw new OperatorError(`The model gives no probability of ${name}; it gives: ${known}`);
  }
  return probability;
}
