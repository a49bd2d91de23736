/** Promises of packed outcomes: nothing is lost in the byte, and decisions are counted from it. */
import { describe, expect, it } from 'vitest';
import {
  confusionOf,
  countOutcomes,
  packOutcome,
  unpackOutcome,
} from '../../../../benchmarks/accuracy/evaluation/outcome.js';
import { outcomeOf, servedDecisions } from '../../../../benchmarks/accuracy/evaluation/served-decisions.js';
import { judgementOf } from './judgements.js';
import { rowsOf } from './scored-rows-of.js';

describe('a packed outcome', () => {
  it('comes out as it went in', () => {
    for (const passed of [true, false])
      for (const detected of [true, false])
        for (const blocked of [true, false])
          for (let score = 0; score <= 10; score += 1) {
            const outcome = { passed, detected, blocked, score };
            expect(unpackOutcome(packOutcome(outcome))).toEqual(outcome);
          }
  });
});

describe('served decisions', () => {
  it('are counted by what was decided, and not by the probability', () => {
    const judgements = [
      judgementOf(0.9, { passed: true, categories: ['spam'] }),
      judgementOf(0.1, { passed: false, categories: [] }),
      judgementOf(0.2, { passed: false, categories: ['spam'] }),
    ];
    const rows = rowsOf([0.9, 0.1, 0.2], [1, 1, 0]);
    const outcomes = Uint8Array.from(rows.order, (row) =>
      packOutcome(outcomeOf(judgements[row] ?? judgementOf(0), 'spam')),
    );
    const counts = countOutcomes(rows, outcomes, Uint8Array.of(1, 1, 1));
    const { all, main } = servedDecisions('spam');
    expect(main.name).toBe('category spam');
    expect(all.map(({ name, flags }) => [name, confusionOf(counts, flags)])).toEqual([
      ['not passed', { truePositives: 1, falsePositives: 1, falseNegatives: 1, trueNegatives: 0 }],
      ['score ≥ 4', { truePositives: 1, falsePositives: 0, falseNegatives: 1, trueNegatives: 1 }],
      ['category spam', { truePositives: 1, falsePositives: 1, falseNegatives: 1, trueNegatives: 0 }],
    ]);
  });
});
