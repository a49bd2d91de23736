/** Promises of reading a text: what the network gets, and that every part of it can be found in the text as sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/text/read-text.js';

describe('reading a text', () => {
  it('gives its segments as they stand where nothing is disguised', () => {
    expect(readText('Good morning all. You are an idiot.')).toEqual({
      normalised: 'Good morning all. You are an idiot.',
      segments: [
        { text: 'Good morning all.', start: 0, end: 17 },
        { text: 'You are an idiot.', start: 18, end: 35 },
      ],
      inSeveralScripts: false,
    });
  });

  it.each([
    [
      'a harmful sentence between words of another script',
      true,
      'сегодня чудесная погода you are an idiot желаю вам удачи',
    ],
    ['sentences of two scripts', true, 'Сегодня чудесная погода. You are an idiot.'],
    ['names of another script', false, 'Сегодня вышел новый iPhone. Он стоит дорого, Samsung дешевле.'],
    ['one sentence of another script, a word or two long', false, 'Сегодня чудесная погода. Thank you.'],
  ])('tells of %s whether segments are of several scripts: %s', (_, expected, text) => {
    expect(readText(text).inSeveralScripts).toBe(expected);
  });

  it('gives them with disguises undone, at the places of what was disguised', () => {
    const text = 'Good morning all. You are an 1d10t.';
    const { normalised, segments } = readText(text);
    expect(normalised).toBe('Good morning all. You are an idiot.');
    expect(segments[1]).toEqual({ text: 'You are an idiot.', start: 18, end: 35 });
  });

  it('cuts what is disguised as no sentence where a person sees one end', () => {
    const { segments } = readText('Good morning all\u200b.\u200b You are an idiot.');
    expect(segments.map(({ text }) => text)).toEqual(['Good morning all.', 'You are an idiot.']);
  });

  it.each(['', ' \n\t', '\u200b\u0000\ufeff', '\ud800'])('gives %j one empty segment, which is all of it', (text) => {
    expect(readText(text).segments).toEqual([{ text: '', start: 0, end: text.length }]);
  });

  it('cuts between letters that were joined and parted again where they stand', () => {
    const text = 'Ͱ  widgeto ё w i d w i d w1dg3t0';
    const passages = readText(text).segments.map(({ start, end }) => text.slice(start, end));
    expect(passages).toEqual(['Ͱ  widgeto ё', 'w i d w i d w1dg3t0']);
  });

  it('gives any text one segment at least, each within it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { normalised, segments } = readText(text);
        expect(segments.length).toBeGreaterThan(0);
        for (const segment of segments) {
          expect(normalised).toContain(segment.text);
          expect(segment.start).toBeGreaterThanOrEqual(0);
          expect(segment.end).toBeGreaterThanOrEqual(segment.start);
          expect(segment.end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });

  it('gives the same whatever was read before', () => {
    const first = readText('f u c k y0u. What a day.');
    readText('\u202eabc f*ck. 1d10t');
    expect(readText('f u c k y0u. What a day.')).toEqual(first);
  });
});

describe('the second sentence of a disguised text', () => {
  const FIRST = 'What a lovely morning it was.';
  const LAST = 'See you again tomorrow then.';

  it.each([
    ['nothing', 'You are an idiot, shut up.'],
    ['leetspeak', 'Y0u 4re an 1d10t, shut up.'],
    ['spaced letters', 'You are an i d i o t, shut up.'],
    ['dots between letters', 'You are an i.d.i.o.t, shut up.'],
    ['Cyrillic letters', 'Yоu аrе аn іdіоt, ѕhut uр.'],
    ['styled letters', 'You are an 𝓲𝓭𝓲𝓸𝓽, 𝓼𝓱𝓾𝓽 up.'],
    ['fullwidth letters', 'You are an ｉｄｉｏｔ, shut up.'],
    ['circled letters', 'You are an ⓘⓓⓘⓞⓣ, shut up.'],
    ['marks', 'You are an i\u0336d\u0336i\u0336o\u0336t\u0336, shut up.'],
    ['piles of marks', `You are an i${'\u0301\u0316'.repeat(30)}diot, shut up.`],
    ['invisible characters', 'You are an i\u200bd\u200bi\u200bo\u200bt, shut up.'],
    ['stretched letters', 'You are an idiiiiiiiiiiiot, shut up.'],
    ['a masked letter', 'You are a f*cking idiot, shut up.'],
    ['letters from right to left', 'You are an \u202etoidi\u202c, shut up.'],
    ['an abbreviation', 'You are an idiot, kys and shut up.'],
  ])('is found by its place with %s, and nothing of its neighbours', (_disguise, second) => {
    const text = `${FIRST} ${second} ${LAST}`;
    const { segments } = readText(text);
    expect(segments).toHaveLength(3);
    const parts = segments.map(({ start, end }) => text.slice(start, end).trim());
    expect(parts).toEqual([FIRST, second, LAST]);
    const atTheEnd = `${FIRST} ${second}`;
    const [, last] = readText(atTheEnd).segments;
    expect(atTheEnd.slice(last?.start, last?.end)).toBe(second);
  });
});

/** Each a sentence, in every way that people hide or dress one; what stands in tags is no part of it. */
const sentence = fc.constantFrom(
  'You are a stupid idiot.',
  'Y0u 4re a 57up1d 1d10t today.',
  'You are an i d i o t today.',
  'You are an i.d.i.o.t today.',
  'Yоu аrе аn іdіоt today.',
  'You are an 𝓲𝓭𝓲𝓸𝓽, 𝓼𝓱𝓾𝓽 up.',
  'You are an i\u0336d\u0336i\u0336o\u0336t\u0336.',
  'You are an i\u200bd\u200bi\u200bo\u200bt.',
  'You f&#117;&#99;king &lt;old&gt; fool &amp; liar.',
  'You are a f*cking fooooool.',
  'Kindly kys & go away, fuck☺you.',
  'You are <b>such</b> a <i class="very long attribute value">fool</i> today.',
  'A family 👨‍👩‍👧 and a flag 🇺🇸 came.',
  'Ты просто глупый человек.',
  'می‌خواهم بروم خانه.',
  'यह बहुत अच्छा दिन है।',
  'A cafe\u0301 in Sa\u0303o Paulo.',
  'Wörter sind schön und groß.',
);
const between = fc.constantFrom(
  ' ',
  '\n\n',
  '<br>',
  ' <a href="https://example.com/abc/def/ghi">this whole page here</a>.\n',
  '</p><p>',
  '&nbsp;\n',
  '\u200b\n\ufeff',
);

const OTHER_LETTER = /[^\P{L}\p{sc=Latin}]/u;

describe('the passage that a span cuts out of the text as sent', () => {
  it('says in that text what the segment says, after any tag', () => {
    const text = 'See <a href="https://example.com/abc/def">this page</a> now. You are a stupid idiot.';
    const [first, second, attributes] = readText(text).segments.map(({ start, end }) => text.slice(start, end));
    expect(first).toBe('See <a href="https://example.com/abc/def">this page</a> now.');
    expect(second).toBe('You are a stupid idiot.');
    expect(attributes).toBe('href="https://example.com/abc/def"');
  });

  it('is normalised to what the segment says, whatever the text is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(sentence, between), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts.flat().join('');
        // Look-alikes, and symbols among letters, are letters or noise by the rest of the text: alone they may be read otherwise.
        const isMixed = /\p{sc=Latin}/u.test(text) && OTHER_LETTER.test(text);
        const hasDoubtful = /[a-z][\u0400-\u04ff]|[\u0400-\u04ff][a-z]|\p{Extended_Pictographic}|\p{RI}/iu.test(text);
        fc.pre(parts.length === 1 || !(isMixed && hasDoubtful));
        for (const { text: read, start, end } of readText(text).segments) {
          // What a passage holds within its tags is a segment of its own, behind the others.
          const [passage] = readText(text.slice(start, end)).normalised.split('\n');
          expect(passage?.trim()).toBe(read);
        }
      }),
      { numRuns: 300 },
    );
  });
});
