/** Promises of passages for any text: what they quote is there, none is longer than it must be, nothing is lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundPassages, passagesOf } from '../../../src/moderation/sentences.js';

/** As sentences.ts promises. */
const MAX_PASSAGE_LENGTH = 240;

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 30 });
/** Words with an end of a sentence now and then. */
const prose = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', ' ', '  ', '\n', '. Then ')), { maxLength: 150 })
  .map((parts) => parts.flat().join(''));

describe('passages', () => {
  it('lie where they say, in order, without surrounding space, and leave out nothing but space', () => {
    fc.assert(
      fc.property(prose, (text) => {
        let rest = '';
        let end = 0;
        for (const passage of passagesOf(text)) {
          expect(passage.text).toBe(text.slice(passage.start, passage.end));
          expect(passage.text).toBe(passage.text.trim());
          expect(passage.text).not.toBe('');
          rest += text.slice(end, passage.start);
          end = passage.end;
        }
        expect((rest + text.slice(end)).trim()).toBe('');
      }),
    );
  });

  it('are never longer than 240, while words are not', () => {
    fc.assert(
      fc.property(prose, (text) => {
        for (const passage of passagesOf(text)) expect(passage.text.length).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH);
      }),
    );
  });

  it('of a long sentence are as long as they may be', () => {
    const passages = passagesOf('word '.repeat(200).trim());
    expect(passages.map(({ text }) => text.length)).toEqual([239, 239, 239, 239, 39]);
  });

  it('of a sentence of just 240 are one, and a character more makes two', () => {
    const sentence = `${'word '.repeat(47)}words`;
    expect(sentence).toHaveLength(MAX_PASSAGE_LENGTH);
    expect(passagesOf(sentence)).toHaveLength(1);
    expect(passagesOf(`${sentence}x`)).toHaveLength(2);
  });

  // Segments are looked for in stretches of 1,000 characters.
  it.each([999, 1000, 1001, 2000])('of a text of %i characters are all there, once each', (length) => {
    const sentence = `A${'a'.repeat(97)}. `;
    const text = sentence.repeat(20).slice(-length);
    const sentences = text.split(' ').filter((each) => each !== '');
    expect(passagesOf(text).map((passage) => passage.text)).toEqual(sentences);
    const words = `${'word '.repeat(400).slice(-(length - 1))}s`;
    const whole = passagesOf(words).map((passage) => passage.text);
    expect(whole.join(' ')).toBe(words.trim());
  });

  it('keep a single word whole, however long it is, and begin after it anew', () => {
    const long = 'a'.repeat(300);
    expect(passagesOf(`${long} ${long}`).map(({ start, end }) => [start, end])).toEqual([
      [0, 300],
      [301, 601],
    ]);
  });
});

describe('bounded passages', () => {
  const text = 'One here.  Two. Three! Four? Five.';

  it('are the passages themselves where they are few enough', () => {
    const passages = passagesOf(text);
    expect(boundPassages(passages, text, 5)).toEqual(passages);
  });

  it('join neighbours, with what is between them, until they are few enough', () => {
    const textsOf = (most: number): string[] => boundPassages(passagesOf(text), text, most).map((each) => each.text);
    expect(textsOf(4)).toEqual(['One here.  Two.', 'Three! Four?', 'Five.']);
    expect(textsOf(2)).toEqual(['One here.  Two. Three! Four?', 'Five.']);
    expect(textsOf(1)).toEqual([text]);
  });

  it('lie where they say', () => {
    for (const { start, end, text: quoted } of boundPassages(passagesOf(text), text, 2)) {
      expect(text.slice(start, end)).toBe(quoted);
    }
  });

  it('are 256 at most where nothing else is asked for', () => {
    const ofSentences = (count: number): number => {
      const sentences = 'Yes. '.repeat(count);
      return boundPassages(passagesOf(sentences), sentences).length;
    };
    expect([ofSentences(256), ofSentences(257)]).toEqual([256, 129]);
  });
});
