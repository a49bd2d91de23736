/** Promises of a tokenizer file with a Unigram model. The ids of the small made-up one were written down from Python's `tokenizers`. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { createUnigram } from '../../../src/inference/unigram.js';
import { type TokenizedPiece } from '../../../src/inference/sequences.js';

const MAX_PIECE_IDS = 14;
const definition: unknown = JSON.parse(
  readFileSync(new URL('../../support/tiny-model/tokenizer.json', import.meta.url), 'utf8'),
);
const tokenizer = createTextTokenizer(definition, MAX_PIECE_IDS);
const idsOf = (text: string): number[] => tokenizer.tokenize(text).flatMap(({ ids }) => ids);

function expectWellFormed(text: string, pieces: readonly TokenizedPiece[]): void {
  let start = 0;
  for (const piece of pieces) {
    expect(piece.start).toBeGreaterThanOrEqual(start);
    expect(piece.end).toBeGreaterThan(piece.start);
    expect(piece.end).toBeLessThanOrEqual(text.length);
    expect(piece.ids.length).toBeGreaterThanOrEqual(1);
    expect(piece.ids.length).toBeLessThanOrEqual(MAX_PIECE_IDS);
    start = piece.start;
  }
}

describe('a Unigram tokenizer', () => {
  it.each([
    ['English', 'You are stupid, the idiot!', [43, 144, 108, 114, 6, 12, 45, 4, 13, 46]],
    ['Russian', 'привет мир', [30, 31]],
    ['Chinese', '你好世界，我们', [39, 36, 45, 37]],
    [
      'several scripts and emoji, some of them added tokens',
      'Ты bad 😀😀x🫠y',
      [43, 205, 186, 10, 89, 88, 117, 279, 43, 118],
    ],
    ['the likeliest of several ways', 'einen', [43, 98, 102, 107, 20]],
    ['forms that NFKC undoes', 'ﬁne ﾂ ① Ａ', [43, 99, 102, 107, 98, 43, 1, 43, 54, 43, 120]],
    ['a sign that NFKC makes a space and a mark', '¨', [43, 92]],
    ['all that is whitespace in Unicode', 'x\u00a0y\u2003z\u0085w', [43, 117, 43, 118, 43, 119, 43, 116]],
    ['several unknown characters as one token', 'ZZZ龘龘龘 龘a', [43, 145, 145, 145, 1, 43, 1, 94]],
    ['an unknown character beyond 16 bits', '🇩🇪🇫🇷', [281, 43, 1]],
    ['the mark that begins a word', '▁the', [4]],
    ['nothing', ' \n ', []],
  ])('gives %s the ids of Python', (_what, text, ids) => {
    expect(idsOf(text)).toEqual(ids);
    expect(idsOf(text)).toEqual(ids);
  });

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
        expectWellFormed(text, tokenizer.tokenize(text));
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
