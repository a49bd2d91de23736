/** Promises that normalise keeps for every text: it never throws, and its copies are stable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../src/text/normalise.js';

/** Strings of single UTF-16 units, of any code points, of whole characters, and of pieces that disguises are made of. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ...['f', 'u', 'c', 'k', 'fuck', 'shit', 'kill', 'ss', 'oo', 'a', 'i', 'x', 's', 'h', 't', ' ', '  ', '\n'],
        ...['.', '-', '_', '*', '!', '@', '$', '|', '(', '+', '#', "'", '/', '1', '3', '4', '0', '5', '½', '…'],
        ...['аб', 'с', 'к', 'ο', 'ø', 'ſ', 'İ', 'ß', 'ＡＢ', 'ⓐ', '\u0e01\u0e49', '\u0301', '\u20e3', '\ufe0f'],
        ...['\u200b', '\u200d', '\u202e', '😀', '🇫', '🇺', '🇸', '\ud83d', '\ude00', '\u0000'],
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join('')),
);

describe('normalise', () => {
  it('never throws and always gives a string, lone surrogates, NUL and right-to-left text included', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(typeof normalise(text)).toBe('string');
      }),
      { numRuns: 1000 },
    );
  });

  it('gives a copy that it leaves alone itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const copy = normalise(text);
        expect(normalise(copy)).toBe(copy);
      }),
      { numRuns: 2000 },
    );
  });
});
