/** Words the results as tables of plain text, once for all reports. Knows nothing of terminals or HTML. */
import type { BinaryFigures, SentimentFigures } from '../evaluation.js';
import type { FlagRates } from '../flag-rates.js';
import { ratio } from '../metrics/decision.js';
import type { Results } from '../results.js';

export interface Table {
  readonly title: string;
  /** Empty for a table of names and values. */
  readonly headings: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly string[])[];
  readonly note?: string;
}

export function tablesOf(results: Results): readonly Table[] {
  const { figures } = results;
  const measured =
    figures === null ? [] : figures.kind === 'binary' ? binaryTables(figures, results) : [sentimentTable(figures)];
  return [runTable(results), ...measured, flagTable(results.flagRates)];
}

function runTable(results: Results): Table {
  const skipped = Object.entries(results.skipped).map(([code, count]) => `${count} ${code}`);
  return {
    title: 'Run',
    headings: [],
    rows: [
      ['file', results.file],
      ['model', results.model ?? 'none'],
      ['judged', results.judge],
      ['rows', `${results.rows}`],
      ['skipped', skipped.length === 0 ? '0' : skipped.join(', ')],
      ['time', `${results.seconds.toFixed(1)} s, ${results.rowsPerSecond.toFixed(1)} rows/s`],
      ['finished', results.finishedAt],
    ],
  };
}

function binaryTables(figures: BinaryFigures, { labelKind, positive }: Results): Table[] {
  const rule = positive === null ? '1, true, or a number from 0.5 on' : `"${positive}"`;
  const best = figures.bestF1;
  return [
    {
      title: `Probability of ${labelKind ?? ''} against the label`,
      headings: [],
      rows: [
        ['positive rows', `${figures.positives} (label ${rule})`],
        ['negative rows', `${figures.negatives}`],
        ['ROC-AUC', decimal(figures.rocAuc)],
        ['average precision', decimal(figures.averagePrecision)],
        [
          'best F1',
          best === null ? 'n/a' : `${decimal(best.f1)} at a probability of ${best.threshold.toFixed(6)} or more`,
        ],
        ['Brier score', decimal(figures.brierScore)],
        ['calibration error', decimal(figures.expectedCalibrationError)],
      ],
      note: 'The best F1 is found on these very rows: no threshold that is fixed beforehand can reach more.',
    },
    {
      title: 'Decisions against the label',
      headings: ['decision', 'precision', 'recall', 'F1', 'accuracy', 'true pos', 'false pos', 'false neg', 'true neg'],
      rows: figures.decisions.map(({ name, precision, recall, f1, accuracy, confusion }) => [
        name,
        ...[precision, recall, f1, accuracy].map(decimal),
        `${confusion.truePositives}`,
        `${confusion.falsePositives}`,
        `${confusion.falseNegatives}`,
        `${confusion.trueNegatives}`,
      ]),
    },
  ];
}

function sentimentTable({ classes, macroRecall, accuracy }: SentimentFigures): Table {
  return {
    title: 'Sentiment against the label',
    headings: ['label', 'rows', 'recall', ...classes.map(({ name }) => `as ${name}`)],
    rows: classes.map(({ name, examples, recall, predicted }) => [
      name,
      `${examples}`,
      decimal(recall),
      ...predicted.map(String),
    ]),
    note: `Macro-recall ${decimal(macroRecall)}, accuracy ${decimal(accuracy)}.`,
  };
}

function flagTable({ judged, groups, flags }: FlagRates): Table {
  return {
    title: 'What was flagged',
    headings: ['flag', 'rows', 'of all', ...Object.keys(groups).map((group) => `of ${group}`)],
    rows: flags.map(({ name, count, groups: counts }) => [
      name,
      `${count}`,
      percent(ratio(count, judged)),
      ...Object.entries(groups).map(([group, size]) => percent(ratio(counts[group] ?? 0, size))),
    ]),
  };
}

function decimal(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(4);
}

function percent(value: number | null): string {
  return value === null ? 'n/a' : `${(100 * value).toFixed(2)}%`;
}
