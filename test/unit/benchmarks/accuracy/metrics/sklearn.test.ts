/** Promises of the figures: they equal scikit-learn's on stored cases. sklearn_cases.py, beside this file, writes the cases. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { confusionAt } from '../../../../../benchmarks/accuracy/evaluation/outcome.js';
import { calibrationOf } from '../../../../../benchmarks/accuracy/metrics/calibration.js';
import { choiceFigures, countChoices } from '../../../../../benchmarks/accuracy/metrics/classes.js';
import { decisionFigures } from '../../../../../benchmarks/accuracy/metrics/decision.js';
import { groupRankings } from '../../../../../benchmarks/accuracy/metrics/groups.js';
import { bestF1Threshold } from '../../../../../benchmarks/accuracy/metrics/operating-points.js';
import { rankingOf } from '../../../../../benchmarks/accuracy/metrics/ranking.js';
import { unitWeights } from '../../../../../benchmarks/accuracy/metrics/scored-rows.js';
import { membershipOf, rowsOf } from '../scored-rows-of.js';

const numbers = z.array(z.number());
const ranking = { rocAuc: z.number(), averagePrecision: z.number(), brierScore: z.number() };
const fixture = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      positives: numbers,
      probabilities: numbers,
      weights: numbers,
      groups: numbers,
      expected: z.object({
        ...ranking,
        expectedCalibrationError: z.number(),
        bestF1: z.object({ threshold: z.number(), f1: z.number() }),
        weighted: z.object(ranking),
        decision: z.object({
          threshold: z.number(),
          confusion: z.record(z.string(), z.number()),
          precision: z.number(),
          recall: z.number(),
          f1: z.number(),
          accuracy: z.number(),
        }),
        groups: z.array(z.object({ subgroupAuc: z.number(), bpsnAuc: z.number(), bnspAuc: z.number() })),
      }),
    }),
  ),
  classes: z.object({
    truth: numbers,
    chosen: numbers,
    expected: z.object({
      recalls: numbers,
      macroRecall: z.number(),
      accuracy: z.number(),
      confusion: z.array(numbers),
    }),
  }),
});

const { cases, classes } = fixture.parse(
  JSON.parse(readFileSync(new URL('sklearn-cases.json', import.meta.url), 'utf8')),
);

/** All numbers of an object, each within rounding of what is expected. */
const near = <Shape extends object>(expected: Shape): Shape =>
  Object.fromEntries(
    Object.entries(expected).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? (expect.closeTo(value, 11) as number) : value,
    ]),
  ) as Shape;

describe.each(cases)('on $name', ({ positives, probabilities, weights, groups, expected }) => {
  const rows = rowsOf(probabilities, positives);
  const all = unitWeights(rows);

  it('ranking and calibration equal scikit-learn’s', () => {
    const { rocAuc, averagePrecision, brierScore, expectedCalibrationError } = expected;
    expect({ ...rankingOf(rows, all), ...calibrationOf(rows, all) }).toEqual(
      near({ rocAuc, averagePrecision, brierScore, expectedCalibrationError }),
    );
  });

  it('so they do where rows count several times', () => {
    const sorted = Uint8Array.from(rows.order, (row) => weights[row] ?? 0);
    const { brierScore } = calibrationOf(rows, sorted);
    expect({ ...rankingOf(rows, sorted), brierScore }).toEqual(near(expected.weighted));
  });

  it('the best F1 stands where precision_recall_curve has it', () => {
    const threshold = bestF1Threshold(rows, all);
    expect(threshold).toBe(expected.bestF1.threshold);
    const { f1 } = decisionFigures(confusionAt(threshold ?? Infinity, rows, all));
    expect(f1).toBeCloseTo(expected.bestF1.f1, 11);
  });

  it('a decision has the confusion matrix, precision, recall, F1 and accuracy of scikit-learn', () => {
    const { threshold, confusion, ...shares } = expected.decision;
    const found = confusionAt(threshold, rows, all);
    expect(found).toEqual(confusion);
    expect(decisionFigures(found)).toEqual(near(shares));
  });

  it('each group has the areas that roc_auc_score gives for the rows that Borkan et al. name', () => {
    const membership = membershipOf(
      rows,
      groups.map((bits) => [0, 1, 2].filter((group) => (bits & (1 << group)) !== 0)),
    );
    const found = groupRankings(rows, membership, all);
    expect(found).toMatchObject(expected.groups.map(near));
  });
});

it('recalls of classes, their mean and the accuracy equal scikit-learn’s', () => {
  const choices = classes.truth.map((truth, index) => ({ truth, chosen: classes.chosen[index] ?? 0 }));
  const counts = countChoices(choices, new Uint8Array(choices.length).fill(1), 3);
  const { confusion, recalls, ...means } = classes.expected;
  expect(counts).toEqual(confusion);
  const found = choiceFigures(counts);
  expect(found).toMatchObject(near(means));
  expect(found.recalls).toEqual(recalls.map((recall) => expect.closeTo(recall, 11) as number));
});
