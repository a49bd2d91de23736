import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passagesOf, possibleSentences } from '../../../src/moderation/sentences.js';

describe('passages', () => {
  it('are the sentences, without the whitespace around them', () => {
    const text = '  First one.  Second?\n\nThird! ';
    expect(passagesOf(text)).toEqual([
      { text: 'First one.', start: 2, end: 12 },
      { text: 'Second?', start: 14, end: 21 },
      { text: 'Third!', start: 23, end: 29 },
    ]);
  });

  it('of a text without punctuation stay short and lose no word', () => {
    const text = 'word '.repeat(200).trim();
    const passages = passagesOf(text);
    expect(passages.length).toBeGreaterThan(3);
    for (const passage of passages) expect(passage.text.length).toBeLessThanOrEqual(240);
    expect(passages.map((passage) => passage.text).join(' ')).toBe(text);
  });

  it.each([100, 241, 481, 5000])('keep a word of %d letters whole, and part it from the next', (length) => {
    const word = 'x'.repeat(length);
    const text = `${'word '.repeat(40)}${word} ${'word '.repeat(60)}`;
    const passages = passagesOf(text).map((passage) => passage.text);
    expect(passages.filter((passage) => passage.includes('x'))).toEqual([expect.stringContaining(word)]);
    for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(Math.max(240, length));
    expect(passages.join(' ')).toBe(text.trim());
  });

  it('of whitespace alone are none', () => {
    expect(passagesOf(' \n\t ')).toEqual([]);
  });

  it('stand where they say, in order, and leave out nothing but whitespace', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const passages = passagesOf(text);
        let end = 0;
        let skipped = '';
        for (const passage of passages) {
          expect(text.slice(passage.start, passage.end)).toBe(passage.text);
          expect(passage.start).toBeGreaterThanOrEqual(end);
          skipped += text.slice(end, passage.start);
          end = passage.end;
        }
        expect((skipped + text.slice(end)).trim()).toBe('');
      }),
    );
  });
});

describe('possible sentences', () => {
  it.each([
    ['end with a full stop, however it goes on', 'one two. three! four?', ['one two.', 'three!', 'four?']],
    ['end with what closes a quotation', '"One." (Two.) three', ['"One."', '(Two.)', 'three']],
    ['end with their line', 'one two\n\nthree', ['one two', 'three']],
    ['are not parted within a word', 'see e.g.this and 3.5 of them', ['see e.g.this and 3.5 of them']],
    ['may begin within another', 'we met You are bad. there', ['we met You are bad.', 'there', 'You are bad.']],
    [
      'begin where several capitals do',
      'i saw New York and Old Town',
      ['i saw New York and Old Town', 'New York and Old Town', 'Old Town'],
    ],
    ['are more than a last word', 'yes Sir', ['yes Sir']],
    ['have letters', '1 2 3.\n...\nÄ', ['Ä']],
  ])('%s', (_, text, expected) => {
    expect(possibleSentences(text, 9)).toEqual(expected);
  });

  it('are no more than so many, those that begin within others last', () => {
    expect(possibleSentences('one Two three. Four.', 2)).toEqual(['one Two three.', 'Four.']);
    expect(possibleSentences('one Two three. Four.', 3)).toEqual(['one Two three.', 'Four.', 'Two three.']);
  });

  it('leave out no word, and have none that is not there', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', ' ', '. ', '\n', '"'), maxLength: 200 }), (text) => {
        const words = (of: string): string[] => of.split(/\s+/u).filter((word) => /\p{L}/u.test(word));
        const sentences = possibleSentences(text, 999);
        expect(new Set(sentences.flatMap(words))).toEqual(new Set(words(text)));
        const spaced = text.replaceAll(/\s+/gu, ' ');
        for (const sentence of sentences) expect(spaced).toContain(sentence);
      }),
    );
  });
});
