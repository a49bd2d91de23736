/** What each threshold would flag, and which threshold serves a purpose best. Pure. */
import { ratio, type Confusion } from './decision.js';
import type { ScoredRows, Weights } from './scored-rows.js';

/** What is flagged when all rows at or above the threshold are. */
export interface OperatingPoint {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
}

/** One point for each probability that occurs, the highest first. */
export function operatingPoints({ probabilities, positives, tieEnds }: ScoredRows, weights: Weights): OperatingPoint[] {
  const points: OperatingPoint[] = [];
  let truePositives = 0;
  let falsePositives = 0;
  let index = 0;
  for (const end of tieEnds) {
    const before = truePositives + falsePositives;
    for (; index < end; index += 1) {
      const weight = weights[index] ?? 0;
      if (positives[index] === 1) truePositives += weight;
      else falsePositives += weight;
    }
    if (truePositives + falsePositives === before) continue;
    points.push({ threshold: probabilities[end - 1] ?? 0, truePositives, falsePositives });
  }
  return points;
}

/** What a threshold is chosen for: the highest F1, or the most of one share that leaves the other at a given least. */
export type Target =
  | { readonly kind: 'f1' }
  | { readonly kind: 'precision'; readonly least: number }
  | { readonly kind: 'recall'; readonly least: number };

export interface Counts extends Pick<Confusion, 'truePositives' | 'falsePositives'> {
  readonly positives: number;
}

/**
 * How well what is flagged serves the target, as numbers to compare from left to right; `null` where it does not meet it, or where
 * a share is not defined.
 */
function meritOf(target: Target, { truePositives, falsePositives, positives }: Counts): [number, number] | null {
  const flagged = truePositives + falsePositives;
  const precision = ratio(truePositives, flagged);
  const recall = ratio(truePositives, positives);
  if (precision === null || recall === null) return null;
  switch (target.kind) {
    case 'f1':
      return [(2 * truePositives) / (flagged + positives), 0];
    case 'precision':
      return precision >= target.least ? [recall, precision] : null;
    case 'recall':
      return recall >= target.least ? [precision, recall] : null;
  }
}

/** Of equally good points the first. `null` when no point meets the target. */
export function bestPoint<Point extends Omit<OperatingPoint, 'threshold'>>(
  points: readonly Point[],
  positives: number,
  target: Target,
): Point | null {
  let best: { readonly point: Point; readonly merit: [number, number] } | null = null;
  for (const point of points) {
    const merit = meritOf(target, { ...point, positives });
    if (merit === null) continue;
    if (best !== null && (merit[0] < best.merit[0] || (merit[0] === best.merit[0] && merit[1] <= best.merit[1])))
      continue;
    best = { point, merit };
  }
  return best?.point ?? null;
}

/** The threshold with the highest F1, of equal ones the highest. `null` without positives. */
export function bestF1Threshold(rows: ScoredRows, weights: Weights): number | null {
  const points = operatingPoints(rows, weights);
  const positives = points.at(-1)?.truePositives ?? 0;
  return bestPoint(points, positives, { kind: 'f1' })?.threshold ?? null;
}
