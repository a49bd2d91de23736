/**
 * Whether texts that mention a group are ranked as well as the others: the three areas under the ROC curve of Borkan et al. 2019,
 * "Nuanced Metrics for Measuring Unintended Bias with Real Data for Text Classification". Pure.
 */
import { ratio } from './decision.js';
import type { ScoredRows, Weights } from './scored-rows.js';

/** Which groups each of the sorted rows belongs to: those in `groups` from `starts[row]` to `starts[row + 1]`. */
export interface Membership {
  readonly groupCount: number;
  readonly starts: Uint32Array;
  readonly groups: Uint32Array;
}

/** The background of a group are the rows that are not in it. An area is `null` where one of its two sides is empty. */
export interface GroupRanking {
  readonly positives: number;
  readonly negatives: number;
  /** Positives of the group against negatives of the group: low when the model cannot tell them apart. */
  readonly subgroupAuc: number | null;
  /** Background positive, subgroup negative: low when harmless texts of the group are ranked too high. */
  readonly bpsnAuc: number | null;
  /** Background negative, subgroup positive: low when toxic texts of the group are ranked too low. */
  readonly bnspAuc: number | null;
}

/** Counts of a group on the way down from the highest probability, and of pairs of two rows, a tie counting one half. */
interface Tally {
  positives: number;
  negatives: number;
  tiedPositives: number;
  tiedNegatives: number;
  /** With the positive above, as it should be. */
  subgroupPairs: number;
  /** With the positive above, as it should be. */
  bpsnPairs: number;
  /** With the negative above: the wrong way round. */
  bnspPairs: number;
}

/** All groups in one pass, so that it can be done a thousand times. */
export function groupRankings(rows: ScoredRows, membership: Membership, weights: Weights): GroupRanking[] {
  const tallies = Array.from({ length: membership.groupCount }, emptyTally);
  const all = emptyTally();
  let index = 0;
  for (const end of rows.tieEnds) {
    const touched = new Set<Tally>();
    for (; index < end; index += 1) {
      const weight = weights[index] ?? 0;
      if (weight === 0) continue;
      const positive = rows.positives[index] === 1;
      count(all, weight, positive);
      const stop = membership.starts[index + 1] ?? 0;
      for (let at = membership.starts[index] ?? 0; at < stop; at += 1) {
        const tally = tallies[membership.groups[at] ?? 0];
        if (tally === undefined) throw new RangeError('a row is in a group that there is not');
        count(tally, weight, positive);
        touched.add(tally);
      }
    }
    for (const tally of touched) closeTie(tally, all);
    closeCounts(all);
  }
  return tallies.map((tally) => areasOf(tally, all));
}

function emptyTally(): Tally {
  return {
    positives: 0,
    negatives: 0,
    tiedPositives: 0,
    tiedNegatives: 0,
    subgroupPairs: 0,
    bpsnPairs: 0,
    bnspPairs: 0,
  };
}

function count(tally: Tally, weight: number, positive: boolean): void {
  if (positive) tally.tiedPositives += weight;
  else tally.tiedNegatives += weight;
}

function closeTie(tally: Tally, all: Tally): void {
  const positivesAbove = tally.positives + tally.tiedPositives / 2;
  const negativesAbove = tally.negatives + tally.tiedNegatives / 2;
  tally.subgroupPairs += tally.tiedNegatives * positivesAbove;
  tally.bpsnPairs += tally.tiedNegatives * (all.positives + all.tiedPositives / 2 - positivesAbove);
  tally.bnspPairs += tally.tiedPositives * (all.negatives + all.tiedNegatives / 2 - negativesAbove);
  closeCounts(tally);
}

function closeCounts(tally: Tally): void {
  tally.positives += tally.tiedPositives;
  tally.negatives += tally.tiedNegatives;
  tally.tiedPositives = 0;
  tally.tiedNegatives = 0;
}

function areasOf({ positives, negatives, subgroupPairs, bpsnPairs, bnspPairs }: Tally, all: Tally): GroupRanking {
  const outOfOrder = ratio(bnspPairs, positives * (all.negatives - negatives));
  return {
    positives,
    negatives,
    subgroupAuc: ratio(subgroupPairs, positives * negatives),
    bpsnAuc: ratio(bpsnPairs, negatives * (all.positives - positives)),
    bnspAuc: outOfOrder === null ? null : 1 - outOfOrder,
  };
}
