/** Promises of compiled lists: flat memory that is read where it stands, and whose size has a bound for whatever a policy may have. */
import { describe, expect, it } from 'vitest';
import { MOST_TERM_CHARACTERS, MOST_TERMS } from '../../../../src/policies/policy-schema.js';
import { compileTerms, termTablesAt } from '../../../../src/text/terms/compiled-terms.js';
import { termsAt } from '../../../../src/text/terms/term-matcher.js';

/** What each takes, few tell as well as ten thousand. */
const TERMS = 200;
const MOST_BYTES = 32 * 2 ** 20;

/** Of so many letters, no two equal. */
function wordsOf(letters: readonly string[], length: number, count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    let rest = number;
    return Array.from({ length }, () => {
      const letter = letters[rest % letters.length] ?? '';
      rest = Math.floor(rest / letters.length);
      return letter;
    }).join('');
  });
}

const LATIN = Array.from('abcdefghijklmnopqrstuvwxyz');
/** Folded to four letters each. */
const LIGATURES = ['ﷲ', 'ﷴ'];

/** Terms of several words, each of which stands nowhere else. */
function termsOf(words: number, length: number): string[] {
  const all = wordsOf(LATIN, length, words * TERMS);
  return Array.from({ length: TERMS }, (_, term) => all.slice(term * words, (term + 1) * words).join(' '));
}

describe('a compiled list', () => {
  it('is read where it stands in memory that others share, and nothing of it is copied', () => {
    const compiled = new Uint8Array(compileTerms({ blocked: ['black magic', '*phobe'], ignored: ['Dr. Who'] }));
    const memory = new SharedArrayBuffer(compiled.length + 400);
    new Uint8Array(memory).set(compiled, 400);
    const place = { memory, offset: 400 };
    const found = termsAt(place).find('A transphobe, Dr. Who and black magic');
    expect(found.blocked().map(({ term }) => term)).toEqual([1, 0]);
    expect(found.ignored().map(({ term }) => term)).toEqual([0]);
    const { words, terms, afterSentenceEnd, blocked, ignored } = termTablesAt(place);
    const arrays = [words.symbols, words.starts, terms.symbols, terms.starts, afterSentenceEnd, blocked, ignored];
    expect(new Set(arrays.map(({ buffer }) => buffer))).toEqual(new Set([memory]));
  });

  it('of no term that can be found is read as well', () => {
    for (const blocked of [[], ['...', '***']]) {
      expect(termsAt({ memory: compileTerms({ blocked, ignored: [] }), offset: 0 }).find('anything ...').isEmpty).toBe(
        true,
      );
    }
  });

  it.each([
    ['one word', termsOf(1, 10), 60],
    ['three words', termsOf(3, 8), 110],
    ['twelve words', termsOf(12, 7), 350],
    ['a hundred letters that are four each', wordsOf(LIGATURES, MOST_TERM_CHARACTERS, TERMS), 1000],
  ])('of terms of %s takes no more for each than its letters and some bytes a word', (_what, blocked, mostBytes) => {
    expect(compileTerms({ blocked, ignored: [] }).byteLength / TERMS).toBeLessThan(mostBytes);
  });

  it('of the longest terms, twice as many as a list may have, takes 32 MiB at most', () => {
    // Two readings of each: with a digit for a letter, and with that letter.
    const longest = wordsOf(LIGATURES, MOST_TERM_CHARACTERS - 5, TERMS).map((word) => `${word} fu1k`);
    const bytes = compileTerms({ blocked: longest, ignored: [] }).byteLength / TERMS;
    expect(2 * MOST_TERMS * bytes).toBeLessThan(MOST_BYTES);
  });
});
