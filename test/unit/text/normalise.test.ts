/** Promises of normalise that hold whatever is disguised. */
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
