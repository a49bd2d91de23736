/** Promises that deobfuscate keeps for every text: total, stable, and with no word too long to read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deobfuscate, looksDifferent } from '../../../src/moderation/normalise.js';

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

describe('deobfuscate', () => {
  it('never throws and always gives a string, lone surrogates, NUL and right-to-left text included', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const copy = deobfuscate(text);
        expect(typeof copy).toBe('string');
        expect(typeof looksDifferent(text, copy)).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });

  it('gives a copy that it leaves alone itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const copy = deobfuscate(text);
        expect(deobfuscate(copy)).toBe(copy);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the same copy whatever was asked before', () => {
    const first = deobfuscate('f u c k y0u');
    deobfuscate('\u202eabc f*ck');
    expect(deobfuscate('f u c k y0u')).toBe(first);
  });

  it.each(['', ' ', '\n', '\u200b', '\ud800'])('accepts %j', (text) => {
    expect(deobfuscate(text).trim()).toBe('');
  });
});

describe('words too long for the tokenizer', () => {
  const LONGEST_READABLE_WORD = 100;

  it('are broken, so that nothing hides in one unknown token', () => {
    const copy = deobfuscate(`${'qw'.repeat(80)}fuck${'rt'.repeat(300)}`);
    const lengths = copy.split(' ').map((word) => word.length);
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(50);
    expect(copy.replaceAll(' ', '')).toContain('fuck');
  });

  it('are broken between characters, never inside a surrogate pair', () => {
    const copy = deobfuscate('𐐀'.repeat(150));
    expect(copy.split(' ').map((word) => Array.from(word).length)).toEqual([50, 50, 50]);
  });

  it.each([
    ['a word that the tokenizer can read', 'q'.repeat(LONGEST_READABLE_WORD)],
    ['a long address, whose parts are short words', `https://example.com/${'path-to/'.repeat(30)}`],
    ['Chinese, where every character is a word', '你好世界'.repeat(60)],
  ])('but not %s', (_, text) => {
    expect(deobfuscate(text)).toBe(text);
  });
});

describe('symbols', () => {
  it.each([
    ['You ☆stupid☆ idiot☇', 'You ☆ stupid ☆ idiot ☇'],
    ['clap👏🏽clap', 'clap👏🏽 clap'],
  ])('are parted from the words that they touch, which the model could not read otherwise: %s', (text, copy) => {
    expect(deobfuscate(text)).toBe(copy);
    expect(looksDifferent(text, copy)).toBe(true);
  });

  it('that are emoji cost no second pass: the tokenizer knows them', () => {
    const text = 'so happy😀😀for you 👨‍👩‍👧 🏳️‍🌈!';
    expect(looksDifferent(text, deobfuscate(text))).toBe(false);
  });
});
