/** The evaluation of a label that is there or not: ranking, calibration, decisions, groups and fitted thresholds. */
import type { Label } from 'parapet/engine';
import { calibrationBins, calibrationOf, type Calibration } from '../metrics/calibration.js';
import { decisionFigures, type Confusion, type DecisionFigures } from '../metrics/decision.js';
import { groupRankings, type GroupRanking } from '../metrics/groups.js';
import { bestF1Threshold, operatingPoints } from '../metrics/operating-points.js';
import { rankingOf, type Ranking } from '../metrics/ranking.js';
import { estimate, resample, type Resampled } from '../metrics/resampling.js';
import { createScoreColumn, unitWeights, type ScoredRows } from '../metrics/scored-rows.js';
import type { BinaryFigures, Decision, Fit } from '../results.js';
import { curvesOf } from './curves.js';
import { MISTAKES_KEPT, mistakeOf, probabilityOf } from './evaluation.js';
import type { Evaluation, EvaluationOptions, Finding, Mistake, MistakeList } from './evaluation.js';
import { groupFigures } from './group-figures.js';
import { confusionAt, confusionOf, countOutcomes, packOutcome } from './outcome.js';
import { isFlagged, outcomeOf, servedDecisions } from './served-decisions.js';
import { fitPassMaxScore, fitThreshold } from './threshold-fit.js';
import { createWorstList } from './worst-list.js';

/** The decision by the threshold that has the highest F1 on these rows. */
export const BEST_F1 = 'best F1';

export function createBinaryEvaluation(label: Label, options: EvaluationOptions): Evaluation<boolean, BinaryFigures> {
  const column = createScoreColumn();
  const packed: number[] = [];
  const highNegatives = createWorstList<Mistake>(MISTAKES_KEPT);
  const lowPositives = createWorstList<Mistake>(MISTAKES_KEPT);
  return {
    add(row, positive, judgement) {
      const probability = probabilityOf(judgement.labels, label);
      column.add(probability, positive);
      packed.push(packOutcome(outcomeOf(judgement, label)));
      const mistake = mistakeOf(row, positive ? 'positive' : 'negative', probability, judgement);
      if (positive) lowPositives.offer(mistake, -probability);
      else highNegatives.offer(mistake, probability);
    },
    finish() {
      const rows = column.sorted();
      const outcomes = Uint8Array.from(rows.order, (row) => packed[row] ?? 0);
      return findingOf({ label, options, rows, outcomes }, [
        { title: `Negatives with the highest probability of ${label}`, mistakes: highNegatives.items() },
        { title: `Positives with the lowest probability of ${label}`, mistakes: lowPositives.items() },
      ]);
    },
  };
}

interface Judged {
  readonly label: Label;
  readonly options: EvaluationOptions;
  readonly rows: ScoredRows;
  /** Packed, one for each of the sorted rows. */
  readonly outcomes: Uint8Array;
}

/** Everything that is resampled together. */
interface Values extends Ranking, Calibration {
  readonly confusions: readonly Confusion[];
  readonly decisions: readonly DecisionFigures[];
  readonly groups: readonly GroupRanking[];
}

function findingOf(judged: Judged, mistakes: readonly MistakeList[]): Finding<BinaryFigures> {
  const { label, options, rows, outcomes } = judged;
  const all = unitWeights(rows);
  // Held fixed while rows are resampled: the interval is that of a threshold once chosen, not of the choosing.
  const bestThreshold = bestF1Threshold(rows, all);
  const membership = options.groupRows?.membership(rows.order);
  const served = servedDecisions(label);
  const resampled = resample(rows.order.length, options.resampling, (weights): Values => {
    const counts = countOutcomes(rows, outcomes, weights);
    const confusions = served.all.map(({ flags }) => confusionOf(counts, flags));
    if (bestThreshold !== null) confusions.push(confusionAt(bestThreshold, rows, weights));
    return {
      ...rankingOf(rows, weights),
      ...calibrationOf(rows, weights),
      confusions,
      decisions: confusions.map(decisionFigures),
      groups: membership === undefined ? [] : groupRankings(rows, membership, weights),
    };
  });
  const names = [
    ...served.all.map(({ name }) => ({ name, threshold: null })),
    ...(bestThreshold === null ? [] : [{ name: BEST_F1, threshold: bestThreshold }]),
  ];
  const points = operatingPoints(rows, all);
  const positives = points.at(-1)?.truePositives ?? 0;
  const figures: BinaryFigures = {
    kind: 'binary',
    positives,
    negatives: rows.order.length - positives,
    rocAuc: estimate(resampled, (values) => values.rocAuc),
    averagePrecision: estimate(resampled, (values) => values.averagePrecision),
    brierScore: estimate(resampled, (values) => values.brierScore),
    expectedCalibrationError: estimate(resampled, (values) => values.expectedCalibrationError, { recentred: true }),
    decisions: names.map((named, index) => ({ ...named, ...decisionOf(resampled, index) })),
    calibrationBins: calibrationBins(rows, all),
    mainDecision: served.main.name,
    groups:
      membership === undefined || options.groupRows === undefined
        ? null
        : groupFigures({
            names: options.groupRows.names(),
            membership,
            rows,
            resampled,
            isFlagged: (index) => isFlagged(outcomes[index] ?? 0, served.main),
          }),
    fits: fitsOf(judged),
  };
  return { figures, exhibits: { mistakes, curves: curvesOf(rows, points) } };
}

function decisionOf(resampled: Resampled<Values>, index: number): Omit<Decision, 'name' | 'threshold'> {
  const confusion = resampled.actual.confusions[index];
  if (confusion === undefined) throw new RangeError('there is no such decision');
  const estimateOf = (figure: keyof DecisionFigures) =>
    estimate(resampled, (values) => values.decisions[index]?.[figure] ?? null);
  return {
    confusion,
    precision: estimateOf('precision'),
    recall: estimateOf('recall'),
    f1: estimateOf('f1'),
    accuracy: estimateOf('accuracy'),
  };
}

function fitsOf({ label, options: { target, resampling }, rows, outcomes }: Judged): Fit[] {
  if (target === undefined) return [];
  const fitOptions = { target, seed: resampling.seed };
  const threshold = fitThreshold(`details.labels.${label}`, rows, fitOptions);
  return label === 'toxicity' ? [fitPassMaxScore(rows, outcomes, fitOptions), threshold] : [threshold];
}
