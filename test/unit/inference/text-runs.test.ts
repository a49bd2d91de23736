import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextCutter, tokensOf } from '../../../src/inference/tfjs-toxicity/text-windows.js';
import { slicesOf } from '../../../src/inference/windows.js';

/** One id for every four characters of a word. */
const encode = (text: string): number[] =>
  text
    .split(' ')
    .flatMap((word) => Array.from({ length: Math.max(1, Math.ceil(word.length / 4)) }, (_, index) => index + 1));

const SIZE = { maxTokens: 16, overlapTokens: 4 };
const cut = createTextCutter(encode, SIZE);

describe('cutting a text for a model that tokenises itself', () => {
  it('leaves a text of one window as it was sent', () => {
    const text = ' two\nlines\t and  blanks ';
    expect(cut(text)).toEqual([{ start: 1, end: 23, tokens: expect.any(Number) as number, text }]);
  });

  it('cuts what blanks make too long for the model, however few words it has', () => {
    const [window, ...others] = cut(`a${' '.repeat(100)}b`);
    expect(others).toEqual([]);
    expect(window).toMatchObject({ start: 0, end: 102, tokens: 2, text: 'a b' });
  });

  it('gives what nobody could see one empty window', () => {
    for (const text of ['', ' \n', '\u200b\u0000\ufeff'])
      expect(cut(text)).toMatchObject([{ start: 0, end: 0, tokens: 0 }]);
  });

  it('covers every word, with windows that overlap and are never larger than the model reads', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { maxLength: 60 }),
        (words) => {
          const text = words.join(' ');
          const windows = cut(text);
          let reached = 0;
          for (const { start, end, tokens } of windows) {
            expect(tokens).toBeLessThan(SIZE.maxTokens);
            expect(text.slice(reached, Math.max(reached, start))).toMatch(/^[\s\p{Cc}\p{Cf}]*$/u);
            reached = Math.max(reached, end);
          }
          expect(text.slice(reached)).toMatch(/^[\s\p{Cc}\p{Cf}]*$/u);
        },
      ),
    );
  });

  it('hands windows out in slices of about one full window, none lost', () => {
    const windows = cut('word '.repeat(100));
    const slices = slicesOf(windows, 30, tokensOf);
    expect(slices.flat()).toEqual(windows);
    for (const slice of slices) {
      expect(slice.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(30);
    }
  });
});
