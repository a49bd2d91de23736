/** Counts how often each category is detected, and how often a text does not pass. */
import { CATEGORIES } from '../../src/moderation/categories.js';
import type { Judgement } from './judges/judge.js';

/** The group of a row, such as "positives"; the order of first appearance does not matter. */
export interface FlagRates {
  readonly judged: number;
  /** Rows per group. */
  readonly groups: Readonly<Record<string, number>>;
  readonly flags: readonly Flag[];
}

export interface Flag {
  /** A category, or "not passed". */
  readonly name: string;
  readonly count: number;
  /** Flagged rows per group. */
  readonly groups: Readonly<Record<string, number>>;
}

export interface FlagCounter {
  add(judgement: Judgement, group: string | undefined): void;
  rates(): FlagRates;
}

interface Count {
  all: number;
  readonly groups: Map<string, number>;
}

/** @param groups in the order in which they are shown */
export function createFlagCounter(groups: readonly string[]): FlagCounter {
  const newCount = (): Count => ({ all: 0, groups: new Map(groups.map((group) => [group, 0])) });
  const judged = newCount();
  const flags = new Map<string, Count>(['not passed', ...CATEGORIES].map((name) => [name, newCount()]));
  return {
    add(judgement, group) {
      increment(judged, group);
      for (const name of judgement.passed ? judgement.categories : ['not passed', ...judgement.categories]) {
        const count = flags.get(name) ?? newCount();
        flags.set(name, count);
        increment(count, group);
      }
    },
    rates: () => ({
      judged: judged.all,
      groups: Object.fromEntries(judged.groups),
      flags: [...flags].map(([name, count]) => ({ name, count: count.all, groups: Object.fromEntries(count.groups) })),
    }),
  };
}

function increment(count: Count, group: string | undefined): void {
  count.all += 1;
  if (group !== undefined) count.groups.set(group, (count.groups.get(group) ?? 0) + 1);
}
