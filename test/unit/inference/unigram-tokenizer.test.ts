/** Promises of a tokenizer file with a Unigram model. The ids of the small made-up one were written down from Python's `tokenizers`. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { createUnigram } from '../../../src/inference/unigram.js';
import { expectWellFormed } from '../../support/models/tokenizer-cases.js';

const MAX_PIECE_IDS = 14;
const definition: unknown = JSON.parse(
  readFileSync(new URL('../../support/models/tiny-model/tokenizer.json', import.meta.url), 'utf8'),
);
const tokenizer = createTextTokenizer(definition, MAX_PIECE_IDS);
const idsOf = (text: string): number[] => tokenizer.tokenize(text).flatMap(({ ids }) => ids);

describe('a Unigram tokenizer', () => {
  it('reads the names of special tokens as plain text', () => {
    const ids = idsOf('[CLS][SEP] [PAD] a[SEP]b');
    for (const special of [0, tokenizer.classifyId, tokenizer.separatorId]) expect(ids).not.toContain(special);
  });

  it('cuts long words between two tokens, into pieces of about the same length', () => {
    const word = 'ab'.repeat(10);
    const pieces = tokenizer.tokenize(`a ${word} a`);
    expect(pieces.map(({ ids }) => ids.length)).toEqual([1, 10, 10, 1]);
    const unbounded = createTextTokenizer(definition, 1000);
    expect(pieces.flatMap(({ ids }) => ids)).toEqual(unbounded.tokenize(`a ${word} a`).flatMap(({ ids }) => ids));
  });

  it('gives pieces in text order that lie within the text, of 1 to 14 ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expectWellFormed(text, tokenizer.tokenize(text), MAX_PIECE_IDS, true);
      }),
    );
  });

  it('does not lose what stands behind thousands of characters without a space', () => {
    for (const filler of ['你', 'x', '😀', '龘']) {
      const ids = idsOf(`${filler.repeat(5000)}世界`);
      expect(ids.at(-1)).toBe(36);
      if (filler !== '龘') expect(ids.length).toBeGreaterThan(5000);
    }
  });

  it.each([
    ['neither kind', { model: { type: 'BPE', vocab: {} } }],
    ['nothing', {}],
    ['pieces without log-probabilities', { model: { type: 'Unigram', vocab: [['[PAD]', -1000], ['a']] } }],
  ])('is not made of a file of %s', (_what, file) => {
    expect(() => createTextTokenizer(file, MAX_PIECE_IDS)).toThrow();
  });
});

describe('Unigram', () => {
  const spell = createUnigram({
    pieces: [
      ['a', -3],
      ['b', -3],
      ['ab', -5],
      ['abc', -20],
      ['aa', -6],
    ],
    unknown: '?',
  });

  it.each([
    ['the pieces that are likeliest together', 'abab', ['ab', 'ab']],
    ['the longer last piece where two ways are as likely', 'aa', ['aa']],
    ['a less likely piece rather than an unknown character', 'abc', ['abc']],
    ['the unknown token for each character that is no piece', 'ac😀', ['a', '?', '?']],
    ['nothing for nothing', '', []],
  ])('gives %s', (_what, word, pieces) => {
    expect(spell([word])).toEqual(pieces);
  });

  it('spells as the best of all ways does', () => {
    const logProbabilities = new Map([
      ['a', -2],
      ['b', -2.5],
      ['ab', -3],
      ['ba', -4.25],
      ['bab', -5.75],
    ]);
    const spellings = (word: string): string[][] =>
      word === ''
        ? [[]]
        : [1, 2, 3].flatMap((length) => {
            const piece = word.slice(0, length);
            return piece.length === length && logProbabilities.has(piece)
              ? spellings(word.slice(length)).map((rest) => [piece, ...rest])
              : [];
          });
    const likelihood = (spelled: readonly string[]): number =>
      spelled.reduce((sum, piece) => sum + (logProbabilities.get(piece) ?? -Infinity), 0);
    const spellBest = createUnigram({ pieces: [...logProbabilities], unknown: '?' });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 9 }), (word) => {
        const spelled = spellBest([word]);
        expect(spelled.join('')).toBe(word);
        expect(likelihood(spelled)).toBeCloseTo(Math.max(...spellings(word).map(likelihood)), 9);
      }),
    );
  });
});
