/** One HTML page that needs nothing from elsewhere, not even a script. Escapes all that it did not write itself. */
import type { Exhibits } from '../evaluation/evaluation.js';
import type { BinaryFigures, Measured, Results } from '../results.js';
import { calibrationChart } from './charts/calibration-chart.js';
import { precisionRecallChart, rocChart } from './charts/curve-charts.js';
import { groupChart } from './charts/group-chart.js';
import { histogramChart } from './charts/histogram-chart.js';
import { comparisonTables } from './comparison-tables.js';
import { confusionSection } from './confusion-section.js';
import { fitTable } from './fit-table.js';
import { groupTable } from './group-table.js';
import { escape, tableSection } from './html.js';
import { STYLE } from './html-style.js';
import { decisionTable, sentimentTable } from './label-tables.js';
import { mistakeSection } from './mistake-section.js';
import { peerTables } from './peer-table.js';
import { perspectiveTable } from './perspective-table.js';
import { flagTable, overviewTables, runTable } from './result-tables.js';
import { tilesOf } from './tiles.js';

/** @param exhibits for each label column, in the order of the results */
export function renderHtml(results: Results, exhibits: readonly Exhibits[]): string {
  const title = `Accuracy of ${results.model ?? 'no model'} on ${results.file}`;
  const body = [
    `<h1>${escape(title)}</h1>`,
    `<p class="lead">${escape(`${results.judged} of ${results.rows} rows judged ${results.judge}. ${results.finishedAt}.`)}</p>`,
    navigation(results),
    ...results.notes.map((note) => `<p class="note">${escape(note)}</p>`),
    ...(results.comparison === null ? [] : comparisonTables(results.comparison).map(tableSection)),
    ...overviewTables(results).map(tableSection),
    ...results.measured.map((measured, index) => labelSection(measured, exhibits[index], results)),
    ...[...results.perspective.map(perspectiveTable), ...peerTables(results)].map(tableSection),
    '<h2>Run</h2>',
    ...[flagTable(results.flagRates), runTable(results)].map(tableSection),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
${body.filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}

function navigation({ measured }: Results): string {
  if (measured.length < 2) return '';
  return `<nav>${measured.map(({ labelKind }) => `<a href="#${labelKind}">${labelKind}</a>`).join('\n')}</nav>`;
}

function labelSection(
  { labelKind, labelColumn, figures }: Measured,
  exhibits: Exhibits | undefined,
  results: Results,
): string {
  const { mistakes = [], curves = null } = exhibits ?? {};
  const heading = `<h2 id="${labelKind}">${labelKind} <small>against column “${escape(labelColumn)}”</small></h2>`;
  const parts =
    figures.kind === 'sentiment'
      ? [tilesOf(figures), tableSection(sentimentTable(figures, labelColumn))]
      : [tilesOf(figures), ...binaryParts(figures, curves, { labelKind, results })];
  return [heading, ...parts, ...mistakes.map(mistakeSection)].join('\n');
}

function binaryParts(
  figures: BinaryFigures,
  curves: Exhibits['curves'],
  { labelKind, results: { fitTarget } }: { readonly labelKind: string; readonly results: Results },
): readonly string[] {
  const charts =
    curves === null
      ? []
      : [
          rocChart(figures, curves),
          precisionRecallChart(figures, curves),
          histogramChart(figures, curves),
          calibrationChart(figures),
        ];
  return [
    `<div class="charts">${charts.join('\n')}</div>`,
    tableSection(decisionTable(figures, labelKind)),
    confusionSection(figures),
    ...(figures.groups === null
      ? []
      : [
          `<div class="charts">${groupChart(figures)}</div>`,
          tableSection(groupTable(figures.groups, labelKind, figures.mainDecision)),
        ]),
    ...(fitTarget === null ? [] : [tableSection(fitTable(figures.fits, labelKind, fitTarget))]),
  ];
}
