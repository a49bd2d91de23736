import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTextTokenizer } from '../../src/inference/tokenizer.js';
import { type TokenizedPiece } from '../../src/inference/sequences.js';
import { expectWellFormed, tokenizerCases } from '../support/models/tokenizer-cases.js';

const MAX_PIECE_IDS = 94;
const MOST_WORD_UNITS = 100;

const definition = z
  .looseObject({ model: z.looseObject({ vocab: z.record(z.string(), z.int()) }) })
  .parse(JSON.parse(readFileSync(new URL('../../models/parapet-en/tokenizer.json', import.meta.url), 'utf8')));
const unknownId = definition.model.vocab['[UNK]'];
const tokenizer = createTextTokenizer(definition, MAX_PIECE_IDS);

const cases = tokenizerCases('tokenizer-cases.jsonl.gz');

const idsOf = (pieces: readonly TokenizedPiece[]): number[] => pieces.flatMap((piece) => piece.ids);

describe('the tokenizer', () => {
  it("gives 5,000 texts of all scripts the ids of Python's tokenizers, which the model was trained with", () => {
    expect(cases).toHaveLength(5000);
    const mismatches = cases.filter(({ text, ids }) => idsOf(tokenizer.tokenize(text)).join() !== ids.join());
    expect(mismatches.map(({ text, ids }) => ({ text, ids, ours: idsOf(tokenizer.tokenize(text)) }))).toEqual([]);
  });

  it('spells any word as the package does, which takes cubic time for it', () => {
    const reference = new Tokenizer(definition, {});
    const parts = Object.keys(definition.model.vocab).map((piece) => piece.replace(/^##/, ''));
    const word = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'grapheme', maxLength: 3 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(word, (joined) => {
        const text = joined.join('').replaceAll(/[\s\p{Z}Σ]|[\u{20000}-\u{2FA1F}]/gu, '');
        const { ids } = reference.encode(text, { add_special_tokens: false });
        // Longer stretches are cut, which the package does not do.
        fc.pre(ids.length <= MAX_PIECE_IDS && !(text.length > MOST_WORD_UNITS && ids.includes(unknownId ?? -1)));
        expect(idsOf(tokenizer.tokenize(text))).toEqual(ids);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same ids when a text comes again, from what it remembers', () => {
    for (const { text, ids } of cases.slice(0, 500)) expect(idsOf(tokenizer.tokenize(text))).toEqual(ids);
  });

  it('gives pieces in text order that lie within the text, of 1 to 94 ids', () => {
    for (const { text } of cases) expectWellFormed(text, tokenizer.tokenize(text), MAX_PIECE_IDS);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expectWellFormed(text, tokenizer.tokenize(text), MAX_PIECE_IDS);
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    const text = '😀'.repeat(5000);
    for (const { start, end } of tokenizer.tokenize(text)) expect(text.slice(start, end).isWellFormed()).toBe(true);
  });

  it.each([
    ['a word of 300 letters', 'stupididiot'.repeat(28).slice(0, 300)],
    ['a word behind 10,000 letters', `${'x'.repeat(10_000)}stupididiot`],
  ])('cuts %s, which WordPiece would make one unknown token, so that what it says is seen', (_name, text) => {
    const pieces = tokenizer.tokenize(text);
    expectWellFormed(text, pieces, MAX_PIECE_IDS);
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) {
      if (piece.end - piece.start > MOST_WORD_UNITS) expect(piece.ids).not.toContain(unknownId);
    }
    expect(idsOf(pieces).some((id) => id !== unknownId)).toBe(true);
  });

  it('covers a cut stretch without a gap', () => {
    const text = 'stupididiot'.repeat(100);
    const pieces = tokenizer.tokenize(text);
    expect(pieces.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
  });

  it('reads the vocabulary’s names of special tokens as plain text', () => {
    const special = ['[CLS]', '[SEP]', '[PAD]', '[MASK]', '[UNK]'];
    const ids = idsOf(tokenizer.tokenize(special.join(' ')));
    for (const name of special) expect(ids).not.toContain(definition.model.vocab[name]);
  });
});
