/** The results as one HTML page that needs nothing from elsewhere: goals, plots, and all tables. */
import { STYLE } from '../../accuracy/report/html-style.js';
import { escape, tableSection } from '../../accuracy/report/html.js';
import type { Results } from '../figures/results.js';
import { LINE_STYLE } from './line-chart.js';
import { goalTable, loadTable, profileTable, runTable, stageTable, usageTable } from './load-tables.js';
import { latencyCharts, throughputChart } from './plots.js';

const BAR_STYLE = 'svg .main { fill: var(--curve); } svg .other { fill: var(--soft); opacity: .6; }';

export function renderPage(results: Results): string {
  const title = `Speed of ${results.model}`;
  const { rounds, measureSeconds, finishedAt, notes, loads } = results;
  const body = [
    `<h1>${escape(title)}</h1>`,
    `<p class="lead">${escape(`Medians of ${rounds} rounds, ${measureSeconds} s for each load. ${finishedAt}.`)}</p>`,
    ...notes.map((note) => `<p class="note">${escape(note)}</p>`),
    tableSection(goalTable(results)),
    '<div class="charts">',
    throughputChart(results),
    ...latencyCharts(results),
    '</div>',
    ...[profileTable(loads), loadTable(loads), stageTable(loads), usageTable(results), runTable(results)].map(
      tableSection,
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>${STYLE}
${BAR_STYLE}${LINE_STYLE}
</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}
