/** Counts how often each category is detected, and how often a text does not pass. */
import { CATEGORIES, type Row } from 'parapet/engine';
import type { Judgement } from '../judges/judge.js';
import type { FlagRates } from '../results.js';
import type { Measure } from './measure.js';

export interface FlagCounter {
  add(judgement: Judgement, row: Row): void;
  rates(): FlagRates;
}

interface Count {
  all: number;
  readonly groups: Map<string, number>;
}

/**
 * Rows are grouped by their truth where there is one label column; where there are more, by each label that is positive: one table
 * of every label's negatives would be wide and say nothing.
 */
export function createFlagCounter(measures: readonly Measure[]): FlagCounter {
  const { names, groupsOf } = groupingBy(measures);
  const newCount = (): Count => ({ all: 0, groups: new Map(names.map((name) => [name, 0])) });
  const judged = newCount();
  const flags = new Map<string, Count>(['not passed', ...CATEGORIES].map((name) => [name, newCount()]));
  return {
    add(judgement, row) {
      const groups = groupsOf(row);
      increment(judged, groups);
      for (const name of judgement.passed ? judgement.categories : ['not passed', ...judgement.categories]) {
        const count = flags.get(name) ?? newCount();
        flags.set(name, count);
        increment(count, groups);
      }
    },
    rates: () => ({
      judged: judged.all,
      groups: Object.fromEntries(judged.groups),
      flags: [...flags].map(([name, count]) => ({ name, count: count.all, groups: Object.fromEntries(count.groups) })),
    }),
  };
}

interface Grouping {
  readonly names: readonly string[];
  readonly groupsOf: (row: Row) => readonly string[];
}

function groupingBy(measures: readonly Measure[]): Grouping {
  const [only] = measures;
  if (only !== undefined && measures.length === 1) {
    return { names: only.truths, groupsOf: (row) => [only.truthOf(row)] };
  }
  const binary = measures.filter(({ column }) => column.kind !== 'sentiment');
  return {
    names: binary.map(({ column }) => column.kind),
    groupsOf: (row) =>
      binary.filter((measure) => measure.truthOf(row) === 'positives').map(({ column }) => column.kind),
  };
}

function increment(count: Count, groups: readonly string[]): void {
  count.all += 1;
  for (const group of groups) count.groups.set(group, (count.groups.get(group) ?? 0) + 1);
}
