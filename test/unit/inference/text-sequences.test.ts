import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextCutter, type TextSequence } from '../../../src/inference/tfjs-toxicity/text-sequences.js';

/** One id for every four characters of a word. */
const encode = (text: string): number[] =>
  text
    .split(' ')
    .flatMap((word) => Array.from({ length: Math.max(1, Math.ceil(word.length / 4)) }, (_, index) => index + 1));

const MAX_TOKENS = 16;
const PLACE = { segment: 2, start: 100, end: 200 };
const cutter = createTextCutter(encode, MAX_TOKENS);
const cut = (text: string): TextSequence[] => cutter({ text, ...PLACE }, PLACE.segment);

describe('cutting a segment for a model that tokenises itself', () => {
  it('leaves a segment of one run as it is', () => {
    const text = ' two\nlines\t and  blanks ';
    expect(cut(text)).toEqual([{ ...PLACE, tokens: expect.any(Number) as number, text }]);
  });

  it('cuts what blanks make too long for the model, however few words it has', () => {
    expect(cut(`a${' '.repeat(100)}b`)).toEqual([{ ...PLACE, tokens: 2, text: 'a b' }]);
  });

  it('gives what nobody could see one empty run', () => {
    for (const text of ['', ' \n', '\u200b\u0000\ufeff']) expect(cut(text)).toMatchObject([{ ...PLACE, tokens: 0 }]);
  });

  it('leaves out nothing that can be seen, with runs that are never larger than the model reads', () => {
    const visible = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '');
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { maxLength: 60 }),
        (words) => {
          const text = words.join(' ');
          const runs = cut(text);
          for (const run of runs) {
            expect(run).toMatchObject(PLACE);
            expect(run.tokens).toBeLessThanOrEqual(MAX_TOKENS - 2);
          }
          expect(visible(runs.map((run) => run.text).join(''))).toBe(visible(text));
        },
      ),
    );
  });
});
