/** From values to shares of an axis, and the round values that it names. */
import type { Tick } from '../../accuracy/report/charts/frame.js';

export interface Scale {
  readonly ticks: readonly Tick[];
  /** 0 to 1 between the first tick and the last. */
  shareOf(value: number): number;
}

export type ScaleKind = 'linear' | 'logarithmic';

/** A linear scale begins at 0, so that lengths are in proportion. */
export function createScale(kind: ScaleKind, values: readonly number[]): Scale {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const named = kind === 'linear' ? linearTicks(greatest) : logarithmicTicks(least, greatest);
  const measure = (value: number): number => (kind === 'linear' ? value : Math.log10(value));
  const [first, last] = [measure(named[0] ?? 0), measure(named.at(-1) ?? 1)];
  const shareOf = (value: number): number => (measure(value) - first) / (last - first);
  return {
    ticks: named.map((value) => ({ at: shareOf(value), label: value.toLocaleString('en', { notation: 'compact' }) })),
    shareOf,
  };
}

const MOST_STEPS = 6;

/** From 0 to the first round value that is not below `greatest`. */
export function linearTicks(greatest: number): number[] {
  if (!(greatest > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(greatest / MOST_STEPS));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size * MOST_STEPS >= greatest) ?? greatest;
  const steps = Math.ceil(rounded(greatest / step));
  return Array.from({ length: steps + 1 }, (_, index) => rounded(index * step));
}

/** 1, 2 and 5 times powers of ten, from the last that is not above `least` to the first that is above `least` and not below `greatest`. */
export function logarithmicTicks(least: number, greatest: number): number[] {
  const lowest = Math.floor(Math.log10(least));
  const highest = Math.ceil(Math.log10(greatest)) + 1;
  const all = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index).flatMap((power) =>
    [1, 2, 5].map((factor) => rounded(factor * 10 ** power)),
  );
  const from = all.findLastIndex((tick) => tick <= least);
  const to = all.findIndex((tick) => tick > least && tick >= greatest);
  return all.slice(from, to + 1);
}

function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
