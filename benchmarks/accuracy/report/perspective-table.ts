/** Words which probabilities of ours stand for Perspective's thresholds. */
import type { PerspectiveFigures } from '../results.js';
import type { Table } from './table.js';
import { decimal, estimated } from './wording.js';

export function perspectiveTable({ label, column, rows, thresholds }: PerspectiveFigures): Table {
  return {
    title: `Thresholds of Perspective and of details.labels.${label}, by the scores in column "${column}" of ${rows} rows`,
    headings: ['Perspective', 'it flags', 'flags as many', 'agreement', 'agrees best', 'agreement'],
    rows: thresholds.map(({ threshold, flagged, asMany, agreesBest }) => [
      `>= ${threshold}`,
      `${flagged}`,
      ...[asMany, agreesBest].flatMap(({ probability, heldOut }) => [estimated(probability), decimal(heldOut.f1)]),
    ]),
    note:
      'Agreement is F1 against what Perspective flags, on rows that had no part in fitting: 1 where both flag the same texts. It says ' +
      'nothing about who is right.',
  };
}
