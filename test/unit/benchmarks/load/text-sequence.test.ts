/** Promises of the texts: unique ones never come again, and every stretch has the mixture of the whole. */
import { describe, expect, it } from 'vitest';
import { generatedText } from '../../../../benchmarks/load/texts/generated-text.js';
import { createTextSequence } from '../../../../benchmarks/load/texts/text-sequence.js';

const POOL = Array.from({ length: 500 }, (_, index) => generatedText(index)).filter((text) => text.length <= 400);
const texts = createTextSequence(POOL);
const first = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the texts of a run', () => {
  it('never repeats a unique one, also when the pool is used up', () => {
    const unique = first(5 * POOL.length, (index) => texts.unique(index));
    expect(new Set(unique).size).toBe(unique.length);
    const repeated = new Set(first(POOL.length, (index) => texts.repeated(index)));
    expect(unique.some((text) => repeated.has(text))).toBe(false);
  });

  it('has nearly the same mean length in every stretch', () => {
    const meanOf = (from: number, count: number): number =>
      first(count, (index) => texts.repeated(from + index).length).reduce((sum, length) => sum + length, 0) / count;
    const whole = meanOf(0, POOL.length);
    for (let from = 0; from + 50 <= POOL.length; from += 25) {
      expect(Math.abs(meanOf(from, 50) / whole - 1)).toBeLessThan(0.05);
    }
  });
});
