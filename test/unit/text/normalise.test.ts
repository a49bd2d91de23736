/** Promises of deobfuscate and looksDifferent that hold whatever is disguised, and that no word is too long to read. */
import { describe, expect, it } from 'vitest';
import { deobfuscate, looksDifferent } from '../../../src/text/normalise.js';

describe('deobfuscate', () => {
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

  it('leave the longest readable word beside them whole', () => {
    const readable = 'q'.repeat(LONGEST_READABLE_WORD);
    expect(deobfuscate(`${readable} ${'z'.repeat(150)}`).split(' ')).toContain(readable);
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
