/** What the charts of a label are drawn from. Knows nothing of pictures. */
import type { OperatingPoint } from '../metrics/operating-points.js';
import type { ScoredRows } from '../metrics/scored-rows.js';

export interface Curves {
  /** From the highest threshold to the lowest; so many as can be told apart in a picture. */
  readonly points: readonly OperatingPoint[];
  /** Rows by probability, in equally wide bins from 0 to 1. */
  readonly histogram: readonly HistogramBin[];
}

export interface HistogramBin {
  readonly positives: number;
  readonly negatives: number;
}

const BINS = 20;
/** In shares of the axes of both curves: less than a pixel. */
const LEAST_STEP = 0.003;

export function curvesOf(rows: ScoredRows, points: readonly OperatingPoint[]): Curves {
  return { points: thinned(points), histogram: histogramOf(rows) };
}

function thinned(points: readonly OperatingPoint[]): readonly OperatingPoint[] {
  const last = points.at(-1);
  if (last === undefined) return [];
  const placeOf = ({ truePositives, falsePositives }: OperatingPoint): readonly number[] => [
    truePositives / Math.max(1, last.truePositives),
    falsePositives / Math.max(1, last.falsePositives),
    truePositives / (truePositives + falsePositives),
  ];
  const kept: OperatingPoint[] = [];
  let previous: readonly number[] = [];
  for (const point of points) {
    const place = placeOf(point);
    const moved = place.some((share, axis) => Math.abs(share - (previous[axis] ?? Infinity)) >= LEAST_STEP);
    if (!moved && point !== last) continue;
    kept.push(point);
    previous = place;
  }
  return kept;
}

function histogramOf({ probabilities, positives }: ScoredRows): readonly HistogramBin[] {
  const bins = Array.from({ length: BINS }, () => ({ positives: 0, negatives: 0 }));
  probabilities.forEach((probability, index) => {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (bin === undefined) return;
    if (positives[index] === 1) bin.positives += 1;
    else bin.negatives += 1;
  });
  return bins;
}
