/** Puts together what is known of each group of rows, and names the worst. */
import { ratio } from '../metrics/decision.js';
import type { GroupRanking, Membership } from '../metrics/groups.js';
import { estimate, type Resampled } from '../metrics/resampling.js';
import type { ScoredRows } from '../metrics/scored-rows.js';
import type { Group, GroupFigures } from '../results.js';

export interface GroupInput {
  readonly names: readonly string[];
  readonly membership: Membership;
  readonly rows: ScoredRows;
  readonly resampled: Resampled<{ readonly groups: readonly GroupRanking[] }>;
  /** Whether the main decision flags one of the sorted rows. */
  readonly isFlagged: (index: number) => boolean;
}

/** Of fewer rows of either kind an area says little, and resampling makes too little of its noise: two rows give 0 or 1. */
export const LEAST_ROWS = 10;

/** Whether a group may be called the worst, or be said to have changed. */
export function isLargeEnough({ positives, negatives }: Group): boolean {
  return Math.min(positives, negatives) >= LEAST_ROWS;
}

export function groupFigures({ names, membership, rows, resampled, isFlagged }: GroupInput): GroupFigures {
  const flagged = countFlagged(membership, rows, isFlagged);
  const groups = names.map((name, number): Group => {
    const { positives = 0, negatives = 0 } = resampled.actual.groups[number] ?? {};
    const areaOf = (area: Area) => estimate(resampled, (values) => values.groups[number]?.[area] ?? null);
    return {
      name,
      positives,
      negatives,
      subgroupAuc: areaOf('subgroupAuc'),
      bpsnAuc: areaOf('bpsnAuc'),
      bnspAuc: areaOf('bnspAuc'),
      falsePositiveRate: ratio(flagged[number]?.negatives ?? 0, negatives),
      recall: ratio(flagged[number]?.positives ?? 0, positives),
    };
  });
  const worst = {
    subgroupAuc: worstOf(groups, 'subgroupAuc'),
    bpsnAuc: worstOf(groups, 'bpsnAuc'),
    bnspAuc: worstOf(groups, 'bnspAuc'),
  };
  return { groups, worst };
}

type Area = 'subgroupAuc' | 'bpsnAuc' | 'bnspAuc';

function worstOf(groups: readonly Group[], area: Area): { name: string; value: number } | null {
  const candidates = groups.filter(isLargeEnough).flatMap(({ name, [area]: estimated }) => {
    return estimated === null ? [] : [{ name, value: estimated.value }];
  });
  return candidates.reduce<{ name: string; value: number } | null>(
    (worst, each) => (worst === null || each.value < worst.value ? each : worst),
    null,
  );
}

function countFlagged(
  { groupCount, starts, groups }: Membership,
  { positives }: ScoredRows,
  isFlagged: (index: number) => boolean,
): readonly { positives: number; negatives: number }[] {
  const counts = Array.from({ length: groupCount }, () => ({ positives: 0, negatives: 0 }));
  positives.forEach((positive, index) => {
    if (!isFlagged(index)) return;
    for (const group of groups.subarray(starts[index], starts[index + 1])) {
      const count = counts[group];
      if (count !== undefined) count[positive === 1 ? 'positives' : 'negatives'] += 1;
    }
  });
  return counts;
}
