/** Which probability of ours stands for a threshold of Perspective's, by rows that carry its scores. Asks nobody what is true. */
import { type Label, OperatorError, type Row } from 'parapet/engine';
import type { Judgement } from '../judges/judge.js';
import { estimate, resample, type ResamplingOptions } from '../metrics/resampling.js';
import { createScoreColumn, type ScoredRows, type Weights } from '../metrics/scored-rows.js';
import type { PerspectiveFigures } from '../results.js';
import { probabilityOf } from './evaluation.js';
import { confusionAt } from './outcome.js';
import { crossValidated } from './threshold-fit.js';

export interface PerspectiveFit {
  /** To be asked of every row before anything is judged. @throws OperatorError for a cell that is no score */
  check(row: Row): void;
  add(row: Row, judgement: Judgement): void;
  /** To be asked once, when all rows are in: resampling takes its time. */
  finish(): PerspectiveFigures;
}

export interface PerspectiveFitOptions {
  readonly label: Label;
  readonly column: string;
  /** Where the score stands among the labels of a row. */
  readonly place: number;
  readonly resampling: ResamplingOptions;
}

const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9];

export function createPerspectiveFit({ label, column, place, resampling }: PerspectiveFitOptions): PerspectiveFit {
  const rows: { readonly ours: number; readonly theirs: number }[] = [];
  return {
    check: (row) => void scoreOf(row, place),
    add(row, { labels }) {
      const theirs = scoreOf(row, place);
      if (theirs !== undefined) rows.push({ ours: probabilityOf(labels, label), theirs });
    },
    finish: () => ({
      label,
      column,
      rows: rows.length,
      thresholds: THRESHOLDS.map((threshold) => {
        const scored = createScoreColumn();
        for (const { ours, theirs } of rows) scored.add(ours, theirs >= threshold);
        return { threshold, ...standInsOf(scored.sorted(), `details.labels.${label}`, resampling) };
      }),
    }),
  };
}

/** @param rows positive where Perspective's score reaches the threshold */
function standInsOf(rows: ScoredRows, setting: string, resampling: ResamplingOptions) {
  const resampled = resample(rows.order.length, resampling, (weights) => fitted(rows, weights));
  const standIn = (name: 'asMany' | 'agreesBest') => ({
    probability: estimate(resampled, (values) => values[name]),
    heldOut: crossValidated(
      {
        setting,
        fit: (weights) => fitted(rows, weights)[name],
        try: (value, weights) => confusionAt(value, rows, weights),
      },
      rows,
      resampling.seed,
    ).heldOut,
  });
  return { flagged: resampled.actual.flagged, asMany: standIn('asMany'), agreesBest: standIn('agreesBest') };
}

interface Fitted {
  /** By Perspective. */
  readonly flagged: number;
  /** The probability at or above which as many rows are flagged, or nearly; `null` where Perspective flags none. */
  readonly asMany: number | null;
  /** The one with the highest F1 against what Perspective flags. */
  readonly agreesBest: number | null;
}

/** In one pass that makes no objects: it is asked a thousand times. Of equally good probabilities the highest. */
function fitted({ probabilities, positives, tieEnds }: ScoredRows, weights: Weights): Fitted {
  const flagged = positives.reduce((sum, positive, row) => sum + positive * (weights[row] ?? 0), 0);
  if (flagged === 0) return { flagged, asMany: null, agreesBest: null };
  let [asMany, agreesBest] = [1, 1];
  let [leastOff, bestF1] = [flagged, 0];
  let [ours, both] = [0, 0];
  let row = 0;
  for (const end of tieEnds) {
    for (; row < end; row += 1) {
      const weight = weights[row] ?? 0;
      ours += weight;
      both += weight * (positives[row] ?? 0);
    }
    const probability = probabilities[end - 1] ?? 0;
    const off = Math.abs(ours - flagged);
    const f1 = (2 * both) / (ours + flagged);
    if (off < leastOff) [leastOff, asMany] = [off, probability];
    if (f1 > bestF1) [bestF1, agreesBest] = [f1, probability];
  }
  return { flagged, asMany, agreesBest };
}

/** @returns `undefined` where Perspective gave none */
function scoreOf({ row, labels }: Row, place: number): number | undefined {
  const cell = labels[place]?.trim() ?? '';
  if (cell === '') return undefined;
  const score = Number(cell);
  if (score >= 0 && score <= 1) return score;
  throw new OperatorError(
    `Perspective's score of row ${row} is no number from 0 to 1; leave it empty where there is none.`,
  );
}
