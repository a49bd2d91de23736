import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passagesOf } from '../../../src/moderation/sentences.js';

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
