/** Promises of a text that keeps its places: each edit gives what the string's own would, and every part is found where it came from. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlacedText } from '../../../src/text/placed-text.js';

function passageOf(sent: string, placed: PlacedText, part: string): string {
  const start = placed.text.indexOf(part);
  return sent.slice(placed.placeOf(start, 'start'), placed.placeOf(start + part.length, 'end'));
}

describe('a text with its places', () => {
  it('is the same object where an edit changes nothing', () => {
    const placed = new PlacedText('You fool.');
    expect(placed.replace(/o/g, 'o')).toBe(placed);
    expect(placed.normalize('NFC')).toBe(placed);
    expect(placed.rewrite([['You fool.', 'You fool.']])).toBe(placed);
  });

  it('finds a part through several edits, without what was left out beside it', () => {
    const sent = '<b>Yoou</b> &lt;f00l&gt;, go';
    const placed = new PlacedText(sent)
      .replace(/&lt;|&gt;/g, (entity) => (entity === '&lt;' ? '<' : '>'))
      .replace(/<\/?b>/g, '')
      .replace(/oo/g, 'o')
      .replace(/0/g, 'o');
    expect(placed.text).toBe('You <fool>, go');
    expect(passageOf(sent, placed, 'You')).toBe('Yoou');
    expect(passageOf(sent, placed, '<fool>')).toBe('&lt;f00l&gt;');
    expect(passageOf(sent, placed, 'fool')).toBe('f00l');
    expect(passageOf(sent, placed, 'go')).toBe('go');
  });

  it('finds a part of what was rewritten within a match', () => {
    const sent = 'Oh, 1d10t.f00l!';
    const placed = new PlacedText(sent).replace(/\S{6,}/g, (token) =>
      new PlacedText(token).replace(/\w+/g, (word) => word.replace('1d10t', 'idiot').replace('f00l', 'fool')),
    );
    expect(passageOf(sent, placed, 'fool')).toBe('f00l');
  });

  it('finds a part that was moved', () => {
    const sent = 'one two three';
    const placed = new PlacedText(sent);
    const joined = PlacedText.join([placed.slice(8, 13), placed.slice(0, 3)], '\n');
    expect(joined.text).toBe('three\none');
    expect(passageOf(sent, joined, 'one')).toBe('one');
    expect(passageOf(sent, joined, 'three')).toBe('three');
  });

  it('is normalised as a string is', () => {
    const anyText = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.constantFrom(
          'e',
          '\u0301',
          '\u0323',
          '\u1100',
          '\u1161',
          '\u11a8',
          '\u212b',
          '\u09c7',
          '\u09be',
          '\u{16d67}',
        ),
      ),
    );
    fc.assert(
      fc.property(anyText, fc.constantFrom('NFC' as const, 'NFD' as const), (parts, form) => {
        const text = parts.join('');
        expect(new PlacedText(text).normalize(form).text).toBe(text.normalize(form));
      }),
    );
  });

  it('joins each character to its neighbours as a string does', () => {
    const differing: string[] = [];
    for (let codePoint = 0x80; codePoint <= 0x1ffff; codePoint += 1) {
      const text = `a${String.fromCodePoint(codePoint)}b`;
      if (new PlacedText(text).normalize('NFC').text !== text.normalize('NFC')) differing.push(codePoint.toString(16));
    }
    expect(differing).toEqual([]);
  });
});
