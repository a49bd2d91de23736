/** Promises of fitted thresholds: no other threshold serves the target better, and what they promise is tried on other rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packOutcome } from '../../../../benchmarks/accuracy/evaluation/outcome.js';
import { fitPassMaxScore, fitThreshold } from '../../../../benchmarks/accuracy/evaluation/threshold-fit.js';
import type { Target } from '../../../../benchmarks/accuracy/metrics/operating-points.js';
import { createRandomWords } from '../../../../benchmarks/accuracy/metrics/random-words.js';
import { rowsOf } from './scored-rows-of.js';

const targets: readonly Target[] = [
  { kind: 'f1' },
  { kind: 'precision', least: 0.75 },
  { kind: 'recall', least: 0.75 },
];

interface Shares {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** By counting, for one threshold. */
function sharesAt(threshold: number, probabilities: readonly number[], positives: readonly number[]): Shares {
  const flagged = probabilities.flatMap((probability, row) => (probability >= threshold ? [positives[row] ?? 0] : []));
  const hits = flagged.filter((positive) => positive === 1).length;
  const all = positives.filter((positive) => positive === 1).length;
  return { precision: hits / flagged.length, recall: hits / all, f1: (2 * hits) / (flagged.length + all) };
}

/** What counts for the target; -1 where it is not met. */
function meritOf(target: Target, { precision, recall, f1 }: Shares): number {
  if (target.kind === 'f1') return f1;
  if (target.kind === 'precision') return precision >= target.least ? recall : -1;
  return recall >= target.least ? precision : -1;
}

describe('a fitted threshold', () => {
  it.each(targets)('serves $kind better than any other', (target) => {
    const rows = fc.array(
      fc.record({ tenth: fc.integer({ min: 0, max: 10 }), positive: fc.integer({ min: 0, max: 1 }) }),
      { minLength: 2, maxLength: 25 },
    );
    fc.assert(
      fc.property(rows, (drawn) => {
        const positives = drawn.map(({ positive }) => positive);
        fc.pre(positives.includes(1));
        const probabilities = drawn.map(({ tenth }) => tenth / 10);
        const { value } = fitThreshold('x', rowsOf(probabilities, positives), { target, seed: 1 });
        const best = Math.max(
          ...probabilities.map((each) => meritOf(target, sharesAt(each, probabilities, positives))),
        );
        if (best < 0) expect(value).toBeNull();
        else expect(meritOf(target, sharesAt(value ?? NaN, probabilities, positives))).toBeCloseTo(best, 12);
      }),
    );
  });

  it('is tried on rows that had no part in it: on noise, where it looks good, they say otherwise', () => {
    const random = createRandomWords(11);
    const draw = (): number => random() / 2 ** 32;
    const probabilities = Array.from({ length: 400 }, draw);
    const positives = probabilities.map(() => (draw() < 0.3 ? 1 : 0));
    const target = { kind: 'precision', least: 0.6 } as const;
    const { fitted, heldOut } = fitThreshold('x', rowsOf(probabilities, positives), { target, seed: 1 });
    expect(fitted.precision).toBeGreaterThanOrEqual(0.6);
    expect(heldOut.precision).toBeLessThan(0.5);
  });
});

describe('a fitted PASS_MAX_SCORE', () => {
  const fit = (scores: readonly number[], positives: readonly number[], blocked: readonly boolean[] = []) => {
    const rows = rowsOf(
      scores.map((score) => score / 10),
      positives,
    );
    const outcomes = Uint8Array.from(rows.order, (row) =>
      packOutcome({ passed: true, detected: false, score: scores[row] ?? 0, blocked: blocked[row] ?? false }),
    );
    return fitPassMaxScore(rows, outcomes, { target: { kind: 'f1' }, seed: 1 });
  };

  it('is the highest score that passes', () => {
    expect(fit([0, 2, 5, 6, 9], [0, 0, 0, 1, 1])).toMatchObject({
      setting: 'PASS_MAX_SCORE',
      value: 5,
      fitted: { precision: 1, recall: 1 },
    });
  });
});
