/** From a label column to figures: reads each label as truth and hands it to the evaluation that its kind asks for. */
import {
  isPlainLabel,
  isPositive,
  type Label,
  OperatorError,
  type Row,
  type Sentiment,
  SENTIMENTS,
} from 'parapet/engine';
import type { LabelColumn } from '../label-columns.js';
import { sentimentOf } from '../sentiment-cell.js';
import type { Judgement } from '../judges/judge.js';
import { createBinaryEvaluation } from './binary-evaluation.js';
import type { EvaluationOptions, Finding } from './evaluation.js';
import { createSentimentEvaluation } from './sentiment-evaluation.js';

export interface Measure {
  readonly column: LabelColumn;
  /** What the truth can be, in the order in which it is shown. */
  readonly truths: readonly string[];
  /** To be asked of every row before anything is judged. @throws OperatorError for a label that means nothing */
  check(row: Row): void;
  truthOf(row: Row): string;
  add(row: Row, judgement: Judgement): void;
  finish(): Finding;
  /** What the reader should know about the labels. */
  notes(): readonly string[];
}

export interface MeasureOptions extends EvaluationOptions {
  readonly column: LabelColumn;
  /** Where the label stands among the labels of a row. */
  readonly place: number;
  readonly positive: string | undefined;
}

export function createMeasure(options: MeasureOptions): Measure {
  const { kind } = options.column;
  return kind === 'sentiment' ? createSentimentMeasure(options) : createBinaryMeasure(kind, options);
}

function createSentimentMeasure({ column, place, resampling }: MeasureOptions): Measure {
  const truthOf = (row: Row): Sentiment => {
    const truth = sentimentOf(labelOf(row, place));
    if (truth !== undefined) return truth;
    throw new OperatorError(
      `The label of row ${row.row} is "${shortened(labelOf(row, place))}"; it must be positive, negative or neutral (or 2, 0 or 1).`,
    );
  };
  const evaluation = createSentimentEvaluation({ resampling });
  return {
    column,
    truths: SENTIMENTS,
    check: (row) => void truthOf(row),
    truthOf,
    add: (row, judgement) => evaluation.add(row, truthOf(row), judgement),
    finish: () => evaluation.finish(),
    notes: () => [],
  };
}

/** Resampling makes too little of the noise of fewer rows than this. */
const FEW_ROWS = 50;

function createBinaryMeasure(label: Label, options: MeasureOptions): Measure {
  const { column, place, positive } = options;
  const truthOf = (row: Row): boolean => isPositive(labelOf(row, place), positive);
  const evaluation = createBinaryEvaluation(label, options);
  const odd: string[] = [];
  let oddCount = 0;
  const added = { positives: 0, negatives: 0 };
  return {
    column,
    truths: ['positives', 'negatives'],
    check(row) {
      const value = labelOf(row, place);
      if (positive !== undefined || isPlainLabel(value)) return;
      oddCount += 1;
      if (odd.length < 3 && !odd.includes(shortened(value))) odd.push(shortened(value));
    },
    truthOf: (row) => (truthOf(row) ? 'positives' : 'negatives'),
    add(row, judgement) {
      const truth = truthOf(row);
      added[truth ? 'positives' : 'negatives'] += 1;
      evaluation.add(row, truth, judgement);
    },
    finish: () => evaluation.finish(),
    notes() {
      const notes: string[] = [];
      if (oddCount > 0) {
        const examples = odd.map((value) => `"${value}"`).join(', ');
        notes.push(
          `${oddCount} labels in column "${column.name}", such as ${examples}, are no number from 0 on, true or false, and count as negative: see --positive.`,
        );
      }
      for (const [side, count] of Object.entries(added)) {
        if (count > 0 && count < FEW_ROWS) {
          notes.push(
            `Only ${count} ${side} of ${label}: figures that rest on them are less certain than their intervals say.`,
          );
        }
      }
      return notes;
    },
  };
}

function labelOf({ labels }: Row, place: number): string {
  const label = labels[place];
  if (label === undefined) throw new Error('a row without a label is measured');
  return label;
}

function shortened(label: string): string {
  return label.length > 40 ? `${label.slice(0, 40)}…` : label;
}
