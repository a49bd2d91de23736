/** The Unigram tokenizer beside Python's, with the vocabulary of parapet-multi. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTextTokenizer } from '../../src/inference/tokenizer.js';
import { tokenizerCases } from '../support/models/tokenizer-cases.js';

const tokenizer = createTextTokenizer(
  JSON.parse(readFileSync(new URL('../../models/parapet-multi/tokenizer.json', import.meta.url), 'utf8')),
  126,
);
const idsOf = (text: string): number[] => tokenizer.tokenize(text).flatMap(({ ids }) => ids);

const cases = tokenizerCases('unigram-cases.jsonl.gz');

describe('the Unigram tokenizer', () => {
  it("gives 10,000 texts of all scripts the ids of Python's tokenizers", () => {
    expect(cases).toHaveLength(10_000);
    const mismatches = cases.filter(({ text, ids }) => idsOf(text).join() !== ids.join());
    expect(mismatches.map(({ text, ids }) => ({ text, ids, ours: idsOf(text) }))).toEqual([]);
  });

  it.each(['汉字处理', 'ภาษาไทย', 'a', '😀', '龘', 'aбв汉字😀ع'])(
    'takes time that is linear in 40,000 characters without a space: %s',
    (unit) => {
      const msOf = (length: number): number => {
        const text = Array.from(unit.repeat(length)).slice(0, length).join('');
        const begun = performance.now();
        tokenizer.tokenize(text);
        return performance.now() - begun;
      };
      const least = (length: number): number => Math.min(...Array.from({ length: 5 }, () => msOf(length)));
      // Four times as long: 4 times the time, and 16 times where it grows with the square.
      expect(least(40_000)).toBeLessThan(12 * least(10_000) + 5);
    },
  );
});
