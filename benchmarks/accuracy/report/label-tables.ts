/** Words the figures of one label column as tables. */
import type { BinaryFigures, Measured, Results, SentimentFigures } from '../results.js';
import { fitTable } from './fit-table.js';
import { groupTable } from './group-table.js';
import type { Table } from './table.js';
import { decimal, estimated, probability } from './wording.js';

export function labelTables({ labelKind, labelColumn, figures }: Measured, results: Results): readonly Table[] {
  if (figures.kind === 'sentiment') return [sentimentTable(figures, labelColumn)];
  return [
    probabilityTable(figures, { kind: labelKind, column: labelColumn, positive: results.positive }),
    decisionTable(figures, labelKind),
    confusionTable(figures, labelKind),
    ...(figures.groups === null ? [] : [groupTable(figures.groups, labelKind, figures.mainDecision)]),
    ...(results.fitTarget === null ? [] : [fitTable(figures.fits, labelKind, results.fitTarget)]),
  ];
}

interface Label {
  readonly kind: string;
  readonly column: string;
  readonly positive: string | null;
}

export function probabilityTable(figures: BinaryFigures, { kind, column, positive }: Label): Table {
  const rule = positive === null ? '1, true, or a number from 0.5 on' : `"${positive}"`;
  return {
    title: `Probability of ${kind} against the label in column "${column}"`,
    headings: [],
    rows: [
      ['positive rows', `${figures.positives} (label ${rule})`],
      ['negative rows', `${figures.negatives}`],
      ['ROC-AUC', estimated(figures.rocAuc)],
      ['average precision', estimated(figures.averagePrecision)],
      ['Brier score', estimated(figures.brierScore)],
      ['calibration error', estimated(figures.expectedCalibrationError)],
    ],
  };
}

export function decisionTable({ decisions }: BinaryFigures, label: string): Table {
  return {
    title: `Decisions against ${label}`,
    headings: ['decision', 'precision', 'recall', 'F1'],
    rows: decisions.map(({ name, threshold, precision, recall, f1 }) => [
      threshold === null ? name : `${name}: probability ≥ ${probability(threshold)}`,
      ...[precision, recall, f1].map(estimated),
    ]),
    note: 'The best F1 is found on these very rows: no threshold that is fixed beforehand can reach more.',
  };
}

export function confusionTable({ decisions }: BinaryFigures, label: string): Table {
  return {
    title: `Confusion matrix of ${label}`,
    headings: ['decision', 'true pos', 'false pos', 'false neg', 'true neg', 'accuracy'],
    rows: decisions.map(({ name, confusion, accuracy }) => [
      name,
      `${confusion.truePositives}`,
      `${confusion.falsePositives}`,
      `${confusion.falseNegatives}`,
      `${confusion.trueNegatives}`,
      decimal(accuracy?.value ?? null),
    ]),
  };
}

export function sentimentTable({ classes, macroRecall, accuracy }: SentimentFigures, column: string): Table {
  return {
    title: `Sentiment against the label in column "${column}"`,
    headings: ['label', 'rows', 'recall', ...classes.map(({ name }) => `as ${name}`)],
    rows: classes.map(({ name, examples, recall, predicted }) => [
      name,
      `${examples}`,
      estimated(recall),
      ...predicted.map(String),
    ]),
    note: `Macro-recall ${estimated(macroRecall)}, accuracy ${estimated(accuracy)}.`,
  };
}
