import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inWholeSentences, passagesOf, possibleSentences } from '../../../src/moderation/sentences.js';

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
  const textsOf = (text: string, most: number): string[] =>
    possibleSentences(text, most).map((sentence) => sentence.text);

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
    expect(textsOf(text, 9)).toEqual(expected);
  });

  it('are no more than so many, those that begin within others last', () => {
    expect(textsOf('one Two three. Four.', 2)).toEqual(['one Two three.', 'Four.']);
    expect(textsOf('one Two three. Four.', 3)).toEqual(['one Two three.', 'Four.', 'Two three.']);
  });

  it('know what they begin within', () => {
    expect(possibleSentences('we met You are bad. Yes.', 9)).toEqual([
      { text: 'we met You are bad.', whole: 'we met You are bad.' },
      { text: 'Yes.', whole: 'Yes.' },
      { text: 'You are bad.', whole: 'we met You are bad.' },
    ]);
  });

  it('leave out no word, and have none that is not there', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', ' ', '. ', '\n', '"'), maxLength: 200 }), (text) => {
        const words = (of: string): string[] => of.split(/\s+/u).filter((word) => /\p{L}/u.test(word));
        const sentences = textsOf(text, 999);
        expect(new Set(sentences.flatMap(words))).toEqual(new Set(words(text)));
        const spaced = text.replaceAll(/\s+/gu, ' ');
        for (const sentence of sentences) expect(spaced).toContain(sentence);
      }),
    );
  });
});

describe('a stretch in whole sentences', () => {
  const of = (text: string, stretch: string): string => {
    const start = text.indexOf(stretch);
    return inWholeSentences(text, start, start + stretch.length);
  };

  it.each([
    ['begins and ends where its sentences do', 'One is. Two is here. Three is.', 'is here', ' Two is here.'],
    ['begins and ends with lines', 'One is\nTwo is here\nThree', 'is here', 'Two is here\n'],
    ['stays as it is where it is whole', 'One is. Two is. Three.', 'Two is.', ' Two is.'],
    ['takes along the full stop', 'One is. Two is. Three.', 'Two is', ' Two is.'],
    ['goes to the ends of the text', 'one two three', 'two', 'one two three'],
    ['takes 3.5 for no end', 'It is 3.5 now. Yes.', '5 now', 'It is 3.5 now.'],
    ['goes on where a full stop is within a word', 'So e.g.this is it. Yes.', 'So e.', 'So e.g.this is it.'],
    ['takes along what closes a quotation', 'He said "no way." Then', 'said "no', 'He said "no way."'],
  ])('%s', (_, text, stretch, expected) => {
    expect(of(text, stretch)).toBe(expected);
  });

  it('is cut where a sentence goes on for too long', () => {
    const text = `${'word '.repeat(40)}here ${'word '.repeat(40)}`;
    expect(of(text, 'here')).toBe('here');
    expect(of(`Yes. ${'word '.repeat(30)}here ${'word '.repeat(30)}end.`, 'here')).toMatch(/^ word .*here .*end\.$/u);
  });

  it('holds the stretch, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '. ', '\n', '"', 'b'.repeat(90)), maxLength: 30 }),
        fc.nat(),
        fc.nat(),
        (text, one, other) => {
          const [start, end] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b);
          const whole = inWholeSentences(text, start ?? 0, end ?? 0);
          expect(whole).toContain(text.slice(start, end));
          expect(text).toContain(whole);
        },
      ),
    );
  });
});
