/** Sorted rows and memberships for tests of figures, from plain lists in any order. */
import { createGroupRows } from '../../../../benchmarks/accuracy/evaluation/group-rows.js';
import type { Membership } from '../../../../benchmarks/accuracy/metrics/groups.js';
import { createScoreColumn, type ScoredRows } from '../../../../benchmarks/accuracy/metrics/scored-rows.js';

/** @param positives 1 or 0 for each probability */
export function rowsOf(probabilities: readonly number[], positives: readonly number[]): ScoredRows {
  const column = createScoreColumn();
  probabilities.forEach((probability, row) => column.add(probability, positives[row] === 1));
  return column.sorted();
}

/** @param groups for each row, in the order of `rowsOf`, the numbers of its groups, from 0 without gaps */
export function membershipOf(rows: ScoredRows, groups: readonly (readonly number[])[]): Membership {
  const groupRows = createGroupRows();
  const count = Math.max(-1, ...groups.flat()) + 1;
  // A first row in all of them numbers them in order; it is then left out.
  groupRows.add(Array.from({ length: count }, (_, group) => String(group)));
  for (const row of groups) groupRows.add(row.map(String));
  return groupRows.membership(rows.order.map((row) => row + 1));
}
