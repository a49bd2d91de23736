/** The goals of the project for speed, each beside what was measured. Ratios are of one and the same run. */
import { LOADS, SUBJECTS } from '../loads.js';
import type { MemoryFigures } from '../memory-test.js';
import type { FigureName, LoadFigures } from './load-figures.js';
import { median } from './percentiles.js';

export interface Goal {
  readonly goal: string;
  readonly kind: 'at least' | 'at most' | 'under';
  readonly limit: number;
  readonly unit: '×' | 'ms' | 'MB' | '%';
  /** `null` where this run did not measure it. */
  readonly measured: number | null;
  readonly reached: boolean | null;
}

export interface Evidence {
  readonly loads: readonly LoadFigures[];
  readonly workers: number;
  /** Of each start of the service, until its first healthy answer. */
  readonly startsMs: readonly number[];
  readonly memory: MemoryFigures | null;
}

type PerRound = readonly (number | null)[];

export function goalsOf({ loads, workers, startsMs, memory }: Evidence): Goal[] {
  const roundsOf = (subject: string, load: string, figure: FigureName): PerRound =>
    loads.find((entry) => entry.subject === subject && entry.load === load)?.rounds.map((round) => round[figure]) ?? [];
  const served = (load: string, figure: FigureName): PerRound => roundsOf(SUBJECTS.service, load, figure);
  const unique = served(LOADS.unique, 'perSecond');
  const against = (subject: string): number | null => medianRatio(unique, roundsOf(subject, LOADS.unique, 'perSecond'));
  const bareMs = roundsOf(SUBJECTS.rawLoop, LOADS.unique, 'meanMs');
  const bareLongMs = roundsOf(SUBJECTS.rawLoop, LOADS.long, 'meanMs').map((ms) => (ms === null ? null : ms / workers));
  const bareFastify = roundsOf(SUBJECTS.bareFastify, LOADS.cached, 'perSecond');
  return [
    atLeast(6, '×', against(SUBJECTS.torch), `unique texts a second, against ${SUBJECTS.torch}`),
    atLeast(1.25, '×', against(SUBJECTS.onnx), `unique texts a second, against ${SUBJECTS.onnx}`),
    atLeast(0.92, '×', against(SUBJECTS.rawLoop), `unique texts a second, against the ${SUBJECTS.rawLoop}`),
    under(
      4,
      '×',
      medianRatio(served(LOADS.uniqueHalf, 'p99Ms'), bareMs),
      'p99 of unique texts at half rate, against the mean of their bare inference',
    ),
    atLeast(
      0.6,
      '×',
      medianRatio(served(LOADS.cached, 'perSecond'), bareFastify),
      `cached answers a second, against ${SUBJECTS.bareFastify}`,
    ),
    under(5, 'ms', median(served(LOADS.cachedHalf, 'p99Ms')), 'p99 of cached answers at half rate'),
    atMost(
      1.15,
      '×',
      medianRatio(served(LOADS.longAlone, 'p50Ms'), bareLongMs),
      'median time of 10,000 characters, against bare inference on all cores',
    ),
    under(
      3,
      '×',
      medianRatio(served(LOADS.shortBesideLong, 'p99Ms'), served(LOADS.shortAlone, 'p99Ms')),
      'p99 of short texts beside long ones, against alone',
    ),
    under(1500, 'ms', median(startsMs), 'healthy after the start'),
    under(350, 'MB', mostMemory(loads), 'most resident memory'),
    atMost(5, '%', growthOf(memory), 'growth of resident memory in the memory test'),
  ];
}

function atLeast(limit: number, unit: Goal['unit'], measured: number | null, goal: string): Goal {
  return { goal, kind: 'at least', limit, unit, measured, reached: measured === null ? null : measured >= limit };
}

function atMost(limit: number, unit: Goal['unit'], measured: number | null, goal: string): Goal {
  return { goal, kind: 'at most', limit, unit, measured, reached: measured === null ? null : measured <= limit };
}

function under(limit: number, unit: Goal['unit'], measured: number | null, goal: string): Goal {
  return { goal, kind: 'under', limit, unit, measured, reached: measured === null ? null : measured < limit };
}

/** The median of the rounds' ratios: what slows a round down slows both sides of its ratio. */
export function medianRatio(above: PerRound, below: PerRound): number | null {
  return median(
    above.map((value, round) => {
      const divisor = below[round] ?? null;
      return value === null || divisor === null || divisor === 0 ? null : value / divisor;
    }),
  );
}

function mostMemory(loads: readonly LoadFigures[]): number | null {
  const rounds = loads.filter(({ subject }) => subject === SUBJECTS.service).flatMap((load) => load.rounds);
  const sizes = rounds.map(({ rssMegabytes }) => rssMegabytes).filter((size) => size !== null);
  return sizes.length === 0 ? null : Math.max(...sizes);
}

function growthOf(memory: MemoryFigures | null): number | null {
  if (memory?.beginMegabytes === undefined || memory.beginMegabytes === null || memory.endMegabytes === null)
    return null;
  return 100 * (memory.endMegabytes / memory.beginMegabytes - 1);
}
