/** Promises of aligned offsets: what was found in a normalised text is pointed at where it stands in the text as sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignedOffsets } from '../../../src/text/aligned-offsets.js';
import { normalise } from '../../../src/text/normalise.js';
import { readText } from '../../../src/text/read-text.js';

/** What texts are disguised with, between words. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.lorem({ maxCount: 6 }),
      fc.constantFrom(
        '1d10t ',
        'f u c k ',
        'ѕtuріd ',
        '𝓼𝓽𝓾𝓹𝓲𝓭 ',
        'i\u0336d\u0336',
        '\u200b',
        '\u202etoidi',
        '.\n',
        'kys ',
      ),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe('offsets of a text that was changed', () => {
  it('are the same where nothing was', () => {
    const offsetOf = alignedOffsets('You idiot.', 'You idiot.');
    for (let offset = 0; offset <= 10; offset += 1) {
      expect([offsetOf(offset, 'start'), offsetOf(offset, 'end')]).toEqual([offset, offset]);
    }
  });

  it('are the same before and after what was changed in place', () => {
    const offsetOf = alignedOffsets('You are an 1d10t, I know.', 'You are an idiot, I know.');
    for (let offset = 0; offset <= 25; offset += 1) expect(offsetOf(offset, 'start')).toBe(offset);
  });

  it('take in what was left out within a word', () => {
    const sent = 'You i.d.i.o.t today';
    const offsetOf = alignedOffsets(sent, 'You idiot today');
    expect(sent.slice(offsetOf(4, 'start'), offsetOf(9, 'end'))).toBe('i.d.i.o.t');
    expect(sent.slice(offsetOf(10, 'start'), offsetOf(15, 'end'))).toBe('today');
  });

  it('are right again after any number of characters that nobody sees', () => {
    for (const unseen of ['\u0301'.repeat(5000), '\udc00'.repeat(300), '\u200b'.repeat(40)]) {
      const sent = `You${unseen} idiot`;
      const offsetOf = alignedOffsets(sent, 'You idiot');
      expect(sent.slice(offsetOf(4, 'start'), offsetOf(9, 'end'))).toBe('idiot');
    }
  });

  it('never decrease, and are never outside of the text, whatever was made of it', () => {
    fc.assert(
      fc.property(anyText, fc.option(anyText, { nil: undefined }), (sent, another) => {
        const changed = another ?? normalise(sent);
        const offsetOf = alignedOffsets(sent, changed);
        for (const side of ['start', 'end'] as const) {
          let before = 0;
          for (let offset = 0; offset <= changed.length; offset += 1) {
            expect(offsetOf(offset, side)).toBeGreaterThanOrEqual(before);
            before = offsetOf(offset, side);
          }
          expect(before).toBeLessThanOrEqual(sent.length);
        }
      }),
    );
  });

  it.each([
    ['marks', 'a\u0336'],
    ['letters that nothing has in common with', 'b'],
    ['a word that is found again and again', '1d10t '],
    ['characters that nobody sees', '\u200b'],
  ])('take time linear in the length: %s', (_what, unit) => {
    const timeOf = (length: number): number => {
      const sent = unit.repeat(length / unit.length);
      const changed = 'idiot '.repeat(length / 6);
      const begun = performance.now();
      alignedOffsets(sent, changed);
      return performance.now() - begun;
    };
    timeOf(6000);
    expect(timeOf(96_000)).toBeLessThan(64 * Math.max(timeOf(6000), 10));
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
