/** Confusion matrices as coloured squares: the darker, the larger the share of its row. */
import { ratio } from '../metrics/decision.js';
import type { BinaryFigures, Decision } from '../results.js';
import { escape } from './html.js';
import { percent } from './wording.js';

export function confusionSection({ decisions }: BinaryFigures): string {
  return `<h3>Confusion matrices</h3>\n<div class="matrices">\n${decisions.map(matrix).join('\n')}\n</div>`;
}

function matrix({ name, confusion }: Decision): string {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = confusion;
  const positives = truePositives + falseNegatives;
  const negatives = falsePositives + trueNegatives;
  return `<div class="matrix"><h4>${escape(name)}</h4><table>
<thead><tr><th scope="col">label</th><th scope="col">flagged</th><th scope="col">not flagged</th></tr></thead>
<tbody><tr><th scope="row">positive</th>${cell('right', truePositives, positives)}${cell('wrong', falseNegatives, positives)}</tr>
<tr><th scope="row">negative</th>${cell('wrong', falsePositives, negatives)}${cell('right', trueNegatives, negatives)}</tr></tbody>
</table></div>`;
}

function cell(kind: 'right' | 'wrong', count: number, row: number): string {
  const share = ratio(count, row);
  return `<td class="${kind}" style="--share: ${(share ?? 0).toFixed(3)}">${count}<small>${percent(share)}</small></td>`;
}
