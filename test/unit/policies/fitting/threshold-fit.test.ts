/** Promises of a fitted threshold: no more false alarms than wanted, the lowest that keeps to it, and doubt where texts are too few. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmlessTextsNeeded } from '../../../../src/policies/fitting/share-interval.js';
import { fitThreshold } from '../../../../src/policies/fitting/threshold-fit.js';

const texts = (harmless: readonly number[], labelled: readonly number[] = []) => [
  ...harmless.map((probability) => ({ probability, labelled: false })),
  ...labelled.map((probability) => ({ probability, labelled: true })),
];
const spread = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 0.5) / count);

describe('a fitted threshold', () => {
  it('is the lowest with the wanted share of false alarms, in few decimals', () => {
    const fit = fitThreshold(texts(spread(1000), [0.2, 0.995, 0.999]), 0.01);
    expect(fit).toMatchObject({
      threshold: 0.99,
      falseAlarms: { count: 10, of: 1000, share: 0.01 },
      found: { count: 2, of: 3 },
      doubts: ['too few labelled texts'],
    });
  });

  it('never has more false alarms than wanted, and a lower one would', () => {
    const probability = fc.integer({ min: 0, max: 999_999 }).map((value) => value / 1e6);
    fc.assert(
      fc.property(
        fc.array(probability, { minLength: 1, maxLength: 60 }),
        fc.array(probability, { maxLength: 20 }),
        fc.double({ min: 0.001, max: 0.5, noNaN: true }),
        (harmless, labelled, wanted) => {
          const { threshold, falseAlarms, found } = fitThreshold(texts(harmless, labelled), wanted);
          if (threshold === null) return false;
          const alarms = harmless.filter((each) => each >= threshold).length;
          const below = Math.max(-1, ...harmless.filter((each) => each < threshold));
          return (
            falseAlarms.count === alarms &&
            alarms <= wanted * harmless.length + 1e-6 &&
            found.count === labelled.filter((each) => each >= threshold).length &&
            harmless.filter((each) => each >= below).length > wanted * harmless.length - 1e-6 &&
            // Nothing lies between it and the text that it must not detect.
            !labelled.some((each) => each > below && each < threshold)
          );
        },
      ),
    );
  });

  it('is none where a text that is not labelled has the highest probability', () => {
    expect(fitThreshold(texts([1, 0.2], [0.9]), 0.01)).toMatchObject({ threshold: null, found: { count: 0, of: 1 } });
    expect(fitThreshold(texts([], [0.9]), 0.01)).toMatchObject({ threshold: null, falseAlarms: { share: null } });
  });

  it('is doubted where too few texts can tell', () => {
    const enough = harmlessTextsNeeded(0.01);
    const doubts = (harmless: number, labelled: number) =>
      fitThreshold(texts(spread(harmless), Array<number>(labelled).fill(0.999)), 0.01).doubts;
    expect(doubts(enough, 50)).toEqual([]);
    expect(doubts(enough / 2, 50)).toEqual(['too few harmless texts']);
    expect(doubts(enough, 2)).toEqual(['too few labelled texts']);
    expect(doubts(0, 0)).toEqual(['too few harmless texts', 'too few labelled texts']);
  });
});
