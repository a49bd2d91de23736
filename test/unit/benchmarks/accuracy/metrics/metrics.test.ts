/** Promises of the figures where scikit-learn has no say: what is undefined is null, and weights mean what they say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrationOf } from '../../../../../benchmarks/accuracy/metrics/calibration.js';
import { choiceFigures, countChoices } from '../../../../../benchmarks/accuracy/metrics/classes.js';
import { decisionFigures } from '../../../../../benchmarks/accuracy/metrics/decision.js';
import { groupRankings } from '../../../../../benchmarks/accuracy/metrics/groups.js';
import { bestF1Threshold } from '../../../../../benchmarks/accuracy/metrics/operating-points.js';
import { averagePrecision, rankingOf, rocAuc } from '../../../../../benchmarks/accuracy/metrics/ranking.js';
import { unitWeights } from '../../../../../benchmarks/accuracy/metrics/scored-rows.js';
import { membershipOf, rowsOf } from '../scored-rows-of.js';

const NONE = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };

describe('ranking', () => {
  it('is null where one of the classes is missing', () => {
    expect([rocAuc([]), averagePrecision([])]).toEqual([null, null]);
    for (const positives of [
      [0, 0],
      [1, 1],
    ]) {
      const rows = rowsOf([0.9, 0.1], positives);
      expect(rankingOf(rows, unitWeights(rows)).rocAuc).toBeNull();
      expect(bestF1Threshold(rows, unitWeights(rows))).toBe(positives[0] === 1 ? 0.1 : null);
    }
  });
});

/** Rows with few different probabilities, how often each counts, and groups. */
const weightedRows = fc.array(
  fc.record({
    probability: fc.integer({ min: 0, max: 6 }).map((sixth) => sixth / 6),
    positive: fc.integer({ min: 0, max: 1 }),
    weight: fc.integer({ min: 0, max: 3 }),
    groups: fc.uniqueArray(fc.integer({ min: 0, max: 1 })),
  }),
  { maxLength: 30 },
);

describe('a weight', () => {
  it('says how often a row is there, for every figure', () => {
    fc.assert(
      fc.property(weightedRows, (drawn) => {
        const figures = (list: typeof drawn, weights: (place: number) => number) => {
          const rows = rowsOf(
            list.map(({ probability }) => probability),
            list.map(({ positive }) => positive),
          );
          // Both groups are there in any case.
          const membership = membershipOf(rows, [...list.map(({ groups }) => groups), [0, 1]]);
          const sorted = Uint8Array.from(rows.order, weights);
          return {
            ...rankingOf(rows, sorted),
            ...calibrationOf(rows, sorted),
            bestF1: bestF1Threshold(rows, sorted),
            groups: groupRankings(rows, membership, sorted),
          };
        };
        const repeated = drawn.flatMap((row) => Array.from({ length: row.weight }, () => row));
        const weighted = figures(drawn, (row) => drawn[row]?.weight ?? 0);
        expect(rounded(weighted)).toEqual(rounded(figures(repeated, () => 1)));
      }),
    );
  });
});

/** Sums in another order differ in the last digits. */
function rounded(figures: object): unknown {
  return JSON.parse(
    JSON.stringify(figures, (_, value: unknown) => (typeof value === 'number' ? value.toFixed(9) : value)),
  );
}

describe('decisions', () => {
  it('leave out what has no denominator', () => {
    expect(decisionFigures({ ...NONE, trueNegatives: 3 })).toEqual({
      precision: null,
      recall: null,
      f1: null,
      accuracy: 1,
    });
  });
});

describe('groups', () => {
  it('have no area where one side is empty', () => {
    const rows = rowsOf([0.9, 0.8], [1, 0]);
    const [group] = groupRankings(rows, membershipOf(rows, [[0], [0]]), unitWeights(rows));
    expect(group).toMatchObject({ subgroupAuc: 1, bpsnAuc: null, bnspAuc: null });
  });
});

describe('choice among classes', () => {
  it('leaves classes that do not occur out of the mean', () => {
    const choices = [
      { truth: 0, chosen: 0 },
      { truth: 0, chosen: 1 },
    ];
    const counts = countChoices(choices, Uint8Array.of(1, 1), 2);
    expect(choiceFigures(counts)).toEqual({ macroRecall: 0.5, accuracy: 0.5, recalls: [0.5, null] });
  });
});
