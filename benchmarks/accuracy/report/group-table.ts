/** Words the figures of groups as a table, the group with the lowest area of its own first. */
import { LEAST_ROWS } from '../evaluation/group-figures.js';
import type { Group, GroupFigures } from '../results.js';
import type { Table } from './table.js';
import { decimal, estimated, percent } from './wording.js';

export function groupTable({ groups, worst }: GroupFigures, label: string, decision: string): Table {
  const worstOf = (name: string, found: { name: string; value: number } | null): string =>
    `${name} ${found === null ? 'n/a' : `${found.name} (${decimal(found.value)})`}`;
  return {
    title: `Groups, by probability of ${label}`,
    headings: ['group', 'positives', 'negatives', 'subgroup AUC', 'BPSN AUC', 'BNSP AUC', 'false alarms', 'recall'],
    rows: worstFirst(groups).map((group) => [
      group.name,
      `${group.positives}`,
      `${group.negatives}`,
      ...[group.subgroupAuc, group.bpsnAuc, group.bnspAuc].map(estimated),
      percent(group.falsePositiveRate),
      percent(group.recall),
    ]),
    note:
      `Worst of the groups with at least ${LEAST_ROWS} rows of each kind: ` +
      `${[worstOf('subgroup', worst.subgroupAuc), worstOf('BPSN', worst.bpsnAuc), worstOf('BNSP', worst.bnspAuc)].join(', ')}. ` +
      `False alarms and recall are those of "${decision}".`,
  };
}

/** Groups without an area come last. */
export function worstFirst(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((a, b) => (a.subgroupAuc?.value ?? 2) - (b.subgroupAuc?.value ?? 2));
}
