/** The ROC curve and the precision-recall curve, with the decisions marked on them. */
import type { Curves } from '../../evaluation/curves.js';
import { ratio } from '../../metrics/decision.js';
import type { BinaryFigures } from '../../results.js';
import { estimated, percent } from '../wording.js';
import { callouts, chart, figure, polyline, SHARES, x, y, type Callout } from './frame.js';

type Place = readonly [number, number];

/** `undefined` without rows of both kinds. */
export function rocChart(figures: BinaryFigures, { points }: Curves): string | undefined {
  const { positives, negatives, rocAuc } = figures;
  if (positives === 0 || negatives === 0) return undefined;
  const curve = points.map(({ truePositives, falsePositives }): Place => [
    falsePositives / negatives,
    truePositives / positives,
  ]);
  const places = figures.decisions.map(({ confusion }): Place => [
    confusion.falsePositives / negatives,
    confusion.truePositives / positives,
  ]);
  const body = [
    `<line class="dashed" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>`,
    `<polygon class="under" points="${polyline([[0, 0], ...curve, [1, 0]])}"/>`,
    `<polyline class="curve" points="${polyline([[0, 0], ...curve])}"/>`,
    callouts(named(figures, places), [0.5, 0.3], 'left'),
  ];
  return figure(
    'ROC curve',
    `Area ${estimated(rocAuc)}. Dashed: guessing.`,
    chart(
      'ROC curve: recall against false positive rate',
      { label: 'false positive rate', ticks: SHARES },
      { label: 'recall', ticks: SHARES },
      body.join('\n'),
    ),
  );
}

/** `undefined` without positives. */
export function precisionRecallChart(figures: BinaryFigures, { points }: Curves): string | undefined {
  const { positives, negatives, averagePrecision } = figures;
  if (positives === 0) return undefined;
  const curve = points.map(({ truePositives, falsePositives }): Place => [
    truePositives / positives,
    truePositives / (truePositives + falsePositives),
  ]);
  const share = positives / (positives + negatives);
  const places = figures.decisions.map(({ confusion: { truePositives, falsePositives } }): Place | null => {
    const precision = ratio(truePositives, truePositives + falsePositives);
    return precision === null ? null : [truePositives / positives, precision];
  });
  const body = [
    `<line class="dashed" x1="${x(0)}" y1="${y(share)}" x2="${x(1)}" y2="${y(share)}"/>`,
    `<polyline class="curve" points="${polyline(curve)}"/>`,
    callouts(named(figures, places), [0.5, 0.3], 'right'),
  ];
  return figure(
    'Precision and recall',
    `Average precision ${estimated(averagePrecision)}. Dashed: guessing, ${percent(share)} of the rows being positive.`,
    chart(
      'Precision-recall curve',
      { label: 'recall', ticks: SHARES },
      { label: 'precision', ticks: SHARES },
      body.join('\n'),
    ),
  );
}

function named({ decisions }: BinaryFigures, places: readonly (Place | null)[]): readonly Callout[] {
  return decisions.flatMap(({ name }, index) => {
    const at = places[index] ?? null;
    return at === null ? [] : [{ name, at }];
  });
}
