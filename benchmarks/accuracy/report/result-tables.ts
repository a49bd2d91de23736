/** Words the results as tables of plain text, once for all reports. Knows nothing of terminals or HTML. */
import { BEST_F1 } from '../evaluation/binary-evaluation.js';
import { ratio } from '../metrics/decision.js';
import type { BinaryFigures, FlagRates, Results } from '../results.js';
import { comparisonTables } from './comparison-tables.js';
import { labelTables } from './label-tables.js';
import { peerTables } from './peer-table.js';
import { perspectiveTable } from './perspective-table.js';
import type { Table } from './table.js';
import { decimal, percent } from './wording.js';

/** The comparison stands last, where the end of a log shows it. */
export function tablesOf(results: Results): readonly Table[] {
  return [
    runTable(results),
    ...overviewTables(results),
    ...results.measured.flatMap((measured) => labelTables(measured, results)),
    ...results.perspective.map(perspectiveTable),
    ...peerTables(results),
    flagTable(results.flagRates),
    ...(results.comparison === null ? [] : comparisonTables(results.comparison)),
  ];
}

export function runTable(results: Results): Table {
  const skipped = Object.entries(results.skipped).map(([code, count]) => `${count} ${code}`);
  const { samples, seed } = results.resampling;
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
      ...(results.measured.length + results.perspective.length === 0 || samples === 0
        ? []
        : [['intervals', `95%, by ${samples} bootstrap samples of the rows (seed ${seed})`]]),
    ],
  };
}

/** All labels at a glance, where there are several. */
export function overviewTables({ measured }: Results): readonly Table[] {
  const binary = measured.flatMap(({ labelKind, figures }) =>
    figures.kind === 'binary' ? [{ labelKind, figures }] : [],
  );
  if (binary.length < 2) return [];
  const f1Of = ({ decisions }: BinaryFigures, wanted: string): string =>
    decimal(decisions.find(({ name }) => name === wanted)?.f1?.value ?? null);
  return [
    {
      title: 'All labels',
      headings: ['label', 'positives', 'ROC-AUC', 'avg prec', 'F1 served', 'best F1', 'Brier', 'calibr error'],
      rows: binary.map(({ labelKind, figures }) => [
        labelKind,
        `${figures.positives}`,
        decimal(figures.rocAuc?.value ?? null),
        decimal(figures.averagePrecision?.value ?? null),
        f1Of(figures, figures.mainDecision),
        f1Of(figures, BEST_F1),
        decimal(figures.brierScore?.value ?? null),
        decimal(figures.expectedCalibrationError?.value ?? null),
      ]),
    },
  ];
}

export function flagTable({ judged, groups, flags }: FlagRates): Table {
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
