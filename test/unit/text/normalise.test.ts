/** Promises of normalise that hold whatever is disguised, and that no word is too long to read. */
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../src/text/normalise.js';

describe('normalise', () => {
  it('gives the same copy whatever was asked before', () => {
    const first = normalise('f u c k y0u');
    normalise('\u202eabc f*ck');
    expect(normalise('f u c k y0u')).toBe(first);
  });

  it.each(['', ' ', '\n', '\u200b', '\ud800'])('accepts %j', (text) => {
    expect(normalise(text).trim()).toBe('');
  });
});

describe('words too long for the tokenizer', () => {
  const LONGEST_READABLE_WORD = 100;

  it('are broken, so that nothing hides in one unknown token', () => {
    const copy = normalise(`${'qw'.repeat(80)}fuck${'rt'.repeat(300)}`);
    const lengths = copy.split(' ').map((word) => word.length);
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(50);
    expect(copy.replaceAll(' ', '')).toContain('fuck');
  });

  it('leave the longest readable word beside them whole', () => {
    const readable = 'q'.repeat(LONGEST_READABLE_WORD);
    expect(normalise(`${readable} ${'z'.repeat(150)}`).split(' ')).toContain(readable);
  });

  it('are broken between characters, never inside a surrogate pair', () => {
    const copy = normalise('𐐀'.repeat(150));
    expect(copy.split(' ').map((word) => Array.from(word).length)).toEqual([50, 50, 50]);
  });

  it.each([
    ['a word that the tokenizer can read', 'q'.repeat(LONGEST_READABLE_WORD)],
    ['a long address, whose parts are short words', `https://example.com/${'path-to/'.repeat(30)}`],
    ['Chinese, where every character is a word', '你好世界'.repeat(60)],
  ])('but not %s', (_, text) => {
    expect(normalise(text)).toBe(text);
  });
});

describe('symbols', () => {
  it.each([
    ['You ☆stupid☆ idiot☇', 'You ☆ stupid ☆ idiot ☇'],
    ['clap👏🏽clap', 'clap👏🏽 clap'],
  ])('are parted from the words that they touch, which the model could not read otherwise: %s', (text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  it('that are emoji stay where they are: the tokenizer knows them', () => {
    const text = 'so happy😀😀for you 👨‍👩‍👧 🏳️‍🌈!';
    expect(normalise(text)).toBe(text);
  });
});
