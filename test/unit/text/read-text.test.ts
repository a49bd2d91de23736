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
    });
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

  it('gives any text one segment at least, in its order, within it, none overlapping another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { normalised, segments } = readText(text);
        expect(segments.length).toBeGreaterThan(0);
        let reached = 0;
        for (const segment of segments) {
          expect(normalised).toContain(segment.text);
          expect(segment.start).toBeGreaterThanOrEqual(reached);
          expect(segment.end).toBeGreaterThanOrEqual(segment.start);
          reached = segment.end;
        }
        expect(reached).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('gives the same whatever was read before', () => {
    const first = readText('f u c k y0u. What a day.');
    readText('\u202eabc f*ck. 1d10t');
    expect(readText('f u c k y0u. What a day.')).toEqual(first);
  });
});
