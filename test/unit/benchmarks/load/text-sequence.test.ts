/** Promises of the texts: unique ones never come again, and every stretch has the mixture of the whole. */
import { describe, expect, it } from 'vitest';
import { generatedText } from '../../../../benchmarks/load/texts/generated-text.js';
import { MOST_CHARACTERS, poolOf } from '../../../../benchmarks/load/texts/text-pool.js';
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

  it('uses every text of the pool before any comes again', () => {
    expect(new Set(first(POOL.length, (index) => texts.repeated(index)))).toEqual(new Set(POOL));
    const alone = createTextSequence(['only']);
    expect(first(3, (index) => alone.unique(index))).toEqual(['only 1', 'only 2', 'only 3']);
  });

  it('has nearly the same mean length in every stretch', () => {
    const meanOf = (from: number, count: number): number =>
      first(count, (index) => texts.repeated(from + index).length).reduce((sum, length) => sum + length, 0) / count;
    const whole = meanOf(0, POOL.length);
    for (let from = 0; from + 50 <= POOL.length; from += 25) {
      expect(Math.abs(meanOf(from, 50) / whole - 1)).toBeLessThan(0.05);
    }
  });

  it('makes texts of an exact length, each another', () => {
    const sized = first(300, (index) => texts.sized(index, 1000));
    expect(new Set(sized).size).toBe(300);
    expect(new Set(sized.map((text) => text.length))).toEqual(new Set([1000]));
    expect(new Set(first(2000, (index) => texts.sized(index, 100))).size).toBe(2000);
  });
});

describe('the pool', () => {
  it('leaves out what is long, blank or there twice', () => {
    const pool = poolOf('a file', ['one', ' ', 'one', 'x'.repeat(MOST_CHARACTERS + 1), 'two']);
    expect(pool.texts).toEqual(['one', 'two']);
    expect(() => poolOf('a file', [''])).toThrow('a file');
  });

  it('can be generated, the same in every run', () => {
    const generated = first(2000, generatedText);
    expect(new Set(generated).size).toBe(2000);
    expect(first(2000, generatedText)).toEqual(generated);
  });
});
