/** Words what changed since an earlier run. */
import type { Change, Comparison } from '../results.js';
import type { Table } from './table.js';
import { decimal, signed } from './wording.js';

const HEADINGS = ['figure', 'before', 'now', 'difference', '95% interval'];

/** The others are in the `--json` file. */
const MOST_NAMED = 3;

export function comparisonTables(comparison: Comparison): readonly Table[] {
  const { worse, better, unchanged, notCompared } = comparison;
  const counts = `Worse: ${worse.length}, better: ${better.length}, the same within noise: ${unchanged}.`;
  const few = notCompared.slice(0, MOST_NAMED).join('; ') + (notCompared.length > MOST_NAMED ? '; …' : '');
  const left = notCompared.length === 0 ? '' : ` In one run only: ${notCompared.length} (${few}).`;
  const rows = comparison.sameRows
    ? 'Both runs had the same rows.'
    : 'The runs had different rows: what depends on the share of positives (precision, F1, average precision) may differ for that alone.';
  return [
    {
      title: 'Compared with an earlier run',
      headings: [],
      rows: [
        ['file', comparison.file],
        ['model', comparison.model ?? 'none'],
        ['finished', comparison.finishedAt],
      ],
      note: `${counts} ${rows}${left}`,
    },
    ...(worse.length === 0 ? [] : [{ title: 'Worse', headings: HEADINGS, rows: worse.map(changeRow) }]),
    ...(better.length === 0 ? [] : [{ title: 'Better', headings: HEADINGS, rows: better.map(changeRow) }]),
  ];
}

function changeRow({ figure, before, now, interval }: Change): readonly string[] {
  return [figure, decimal(before), decimal(now), signed(now - before), `[${interval.map(signed).join(', ')}]`];
}
