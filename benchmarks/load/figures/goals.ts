/** The goals of the project for speed, each beside what was measured. Ratios are of one and the same run. */
import { LOADS, SUBJECTS } from '../loads.js';
import type { MemoryFigures } from '../memory-test.js';
import { withoutGenerator, type Cores } from './generator-account.js';
import type { FigureName, LoadFigures, RoundFigures } from './load-figures.js';
import { median } from './percentiles.js';

export interface Goal {
  readonly goal: string;
  readonly kind: 'at least' | 'at most' | 'under';
  readonly limit: number;
  readonly unit: '×' | 'ms' | 'MB' | '%';
  /** `null` where this run did not measure it. */
  readonly measured: number | null;
  /** The same with the generator's processor time left in the account; `null` where it is no part of it. */
  readonly withGenerator: number | null;
  readonly reached: boolean | null;
}

export interface Evidence extends Cores {
  readonly modelId: string;
  readonly loads: readonly LoadFigures[];
  /** Of each start of the service, until its first healthy answer. */
  readonly startsMs: readonly number[];
  readonly memory: MemoryFigures | null;
}

type PerRound = readonly (number | null)[];

/** With two workers, by id of the model. */
const MOST_MEGABYTES: Readonly<Record<string, number>> = { 'parapet-en': 300 };
const MOST_MEGABYTES_OF_OTHERS = 350;

const { service, rawLoop, onnx, torch, idealQueue, bareFastify } = SUBJECTS;

export function goalsOf(evidence: Evidence): Goal[] {
  const { loads, workers, startsMs, memory, modelId } = evidence;
  const roundsOf = (subject: string, load: string): readonly RoundFigures[] =>
    loads.find((entry) => entry.subject === subject && entry.load === load)?.rounds ?? [];
  const of = (subject: string, load: string, figure: FigureName): PerRound =>
    roundsOf(subject, load).map((round) => round[figure]);
  const served = (load: string, figure: FigureName): PerRound => of(service, load, figure);
  const bare = (load: string, figure: FigureName): PerRound => of(rawLoop, load, figure);

  function throughput(limit: number, subject: string): Goal {
    const corrected = (whose: string): PerRound =>
      roundsOf(whose, LOADS.unique).map((round) => withoutGenerator(round.perSecond, round.generatorCores, evidence));
    const measured = medianRatio(corrected(service), corrected(subject));
    const withGenerator = medianRatio(served(LOADS.unique, 'perSecond'), of(subject, LOADS.unique, 'perSecond'));
    return { ...goalOf('at least', limit, '×', measured, `unique texts a second, against ${subject}`), withGenerator };
  }

  return [
    goalOf(
      'at most',
      1.12,
      '×',
      medianRatio(served(LOADS.unique, 'cpuMs'), bare(LOADS.unique, 'cpuMs')),
      `processor time of a unique text, against the ${rawLoop}`,
    ),
    throughput(0.88, rawLoop),
    throughput(1.05, onnx),
    throughput(5, torch),
    goalOf(
      'at most',
      1.5,
      '×',
      medianRatio(served(LOADS.uniqueHalf, 'p99Ms'), of(idealQueue, LOADS.uniqueHalf, 'p99Ms')),
      `p99 of unique texts at half rate, against an ${idealQueue}`,
    ),
    goalOf(
      'at least',
      0.6,
      '×',
      medianRatio(served(LOADS.cached, 'perSecond'), of(bareFastify, LOADS.cached, 'perSecond')),
      `cached answers a second, against ${bareFastify}`,
    ),
    goalOf(
      'under',
      5,
      'ms',
      median(served(LOADS.cachedHalf, 'p99Ms')),
      'p99 of cached answers at half rate, beside unique texts',
    ),
    goalOf(
      'at most',
      1.15,
      '×',
      medianRatio(served(LOADS.longAlone, 'p50Ms'), scaled(bare(LOADS.long, 'meanMs'), 1 / workers)),
      'median time of 10,000 characters, against bare inference on all workers',
    ),
    goalOf(
      'under',
      1,
      '×',
      medianRatio(
        served(LOADS.shortBesideLong, 'p99Ms'),
        summed(scaled(served(LOADS.shortAlone, 'p99Ms'), 2), bare(LOADS.window, 'meanMs')),
      ),
      'p99 of short texts beside long ones, against twice alone and one full run',
    ),
    goalOf(
      'under',
      0.25,
      'ms',
      median(served(LOADS.unique, 'httpThreadMs')),
      'HTTP thread: processor time of a unique text',
    ),
    goalOf(
      'under',
      0.05,
      'ms',
      median(served(LOADS.cached, 'httpThreadMs')),
      'HTTP thread: processor time of a cached answer',
    ),
    goalOf('under', 1000, 'ms', median(startsMs), 'healthy after the start'),
    goalOf(
      'under',
      MOST_MEGABYTES[modelId] ?? MOST_MEGABYTES_OF_OTHERS,
      'MB',
      mostMemory(loads, memory),
      'most memory',
    ),
    goalOf('at most', 5, '%', growthOf(memory), 'growth of memory in the memory test'),
  ];
}

function goalOf(kind: Goal['kind'], limit: number, unit: Goal['unit'], measured: number | null, goal: string): Goal {
  return { goal, kind, limit, unit, measured, withGenerator: null, reached: isReached(kind, limit, measured) };
}

function isReached(kind: Goal['kind'], limit: number, measured: number | null): boolean | null {
  if (measured === null) return null;
  if (kind === 'at least') return measured >= limit;
  return kind === 'at most' ? measured <= limit : measured < limit;
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

function scaled(values: PerRound, factor: number): PerRound {
  return values.map((value) => (value === null ? null : value * factor));
}

function summed(values: PerRound, others: PerRound): PerRound {
  return values.map((value, round) => {
    const other = others[round] ?? null;
    return value === null || other === null ? null : value + other;
  });
}

function mostMemory(loads: readonly LoadFigures[], memory: MemoryFigures | null): number | null {
  const rounds = loads.filter(({ subject }) => subject === service).flatMap((load) => load.rounds);
  const sizes = [...rounds.map(({ memoryMegabytes }) => memoryMegabytes), ...(memory?.samples ?? [])];
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function growthOf(memory: MemoryFigures | null): number | null {
  if (memory?.beginMegabytes === undefined || memory.beginMegabytes === null || memory.endMegabytes === null)
    return null;
  return 100 * (memory.endMegabytes / memory.beginMegabytes - 1);
}
