/** From the label column to figures: reads each label as truth and hands it to the evaluation that its kind asks for. */
import { OperatorError } from '../../src/errors.js';
import { SENTIMENTS } from '../../src/labels.js';
import type { LabelKind } from './arguments.js';
import type { Row } from './dataset/dataset.js';
import { createBinaryEvaluation, createSentimentEvaluation, type Evaluation } from './evaluation.js';
import { isPlainLabel, isPositive, sentimentOf } from './ground-truth.js';
import type { Judgement } from './judges/judge.js';

export interface Measure extends Pick<Evaluation<never>, 'figures' | 'mistakes'> {
  /** What the rows are divided into, in the order in which it is shown. */
  readonly groups: readonly string[];
  /** To be asked of every row before anything is judged. @throws OperatorError for a label that means nothing */
  check(row: Row): void;
  groupOf(row: Row): string;
  add(row: Row, judgement: Judgement): void;
  /** What the reader should know about the labels. */
  notes(): readonly string[];
}

export function createMeasure(kind: LabelKind, positive: string | undefined): Measure {
  if (kind === 'sentiment') {
    const truthOf = (row: Row) => {
      const truth = sentimentOf(labelOf(row));
      if (truth !== undefined) return truth;
      throw new OperatorError(
        `The label of row ${row.row} is "${shortened(labelOf(row))}"; it must be positive, negative or neutral (or 2, 0 or 1).`,
      );
    };
    const evaluation = createSentimentEvaluation();
    return {
      groups: SENTIMENTS,
      check: (row) => void truthOf(row),
      groupOf: truthOf,
      add: (row, judgement) => evaluation.add(row, truthOf(row), judgement),
      figures: () => evaluation.figures(),
      mistakes: () => evaluation.mistakes(),
      notes: () => [],
    };
  }
  const evaluation = createBinaryEvaluation(kind);
  const truthOf = (row: Row): boolean => isPositive(labelOf(row), positive);
  const odd: string[] = [];
  let oddCount = 0;
  return {
    groups: ['positives', 'negatives'],
    check(row) {
      const label = labelOf(row);
      if (positive !== undefined || isPlainLabel(label)) return;
      oddCount += 1;
      if (odd.length < 3 && !odd.includes(shortened(label))) odd.push(shortened(label));
    },
    groupOf: (row) => (truthOf(row) ? 'positives' : 'negatives'),
    add: (row, judgement) => evaluation.add(row, truthOf(row), judgement),
    figures: () => evaluation.figures(),
    mistakes: () => evaluation.mistakes(),
    notes() {
      if (oddCount === 0) return [];
      const examples = odd.map((label) => `"${label}"`).join(', ');
      return [
        `${oddCount} labels, such as ${examples}, are no number, true or false, and count as negative: see --positive.`,
      ];
    },
  };
}

function labelOf({ label }: Row): string {
  if (label === undefined) throw new Error('a row without a label is measured');
  return label;
}

function shortened(label: string): string {
  return label.length > 40 ? `${label.slice(0, 40)}…` : label;
}
