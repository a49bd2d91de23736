/** The promise that HTML hides no word, and that what only looks like it stays. */
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../src/text/normalise.js';
import { readText } from '../../../src/text/read-text.js';

describe('HTML', () => {
  it.each([
    ['a decimal reference', '&#105;diot', 'idiot'],
    ['a hexadecimal reference', 'i&#x64;iot', 'idiot'],
    ['a reference without its semicolon', '&#105diot', 'idiot'],
    ['a reference in a reference', '&amp;#105;diot', 'idiot'],
    ['a soft hyphen', 'id&shy;iot', 'idiot'],
    ['an invisible character', 'id&zwnj;i&ZeroWidthSpace;ot', 'idiot'],
    ['a space between words', 'you&nbsp;idiot', 'you idiot'],
    ['spaces between letters', 'k&nbsp;i&nbsp;l&nbsp;l', 'kill'],
    ['signs between letters', 'k&bull;i&bull;l&bull;l', 'kill'],
    ['a tag in a word', 'f<b>u</b>ck', 'fuck'],
    ['a tag with attributes', 'f<span class="x">u</span>ck', 'fuck\nclass="x"'],
    ['a tag that no browser knows, in a word', 'f<x-y>uck', 'fuck'],
    ['a comment', 'f<!-- so -->uck', 'fuck\nso'],
    ['line breaks between letters', 'f<br>u<br/>c<br />k', 'fuck'],
    ['a tag of a forum in a word', '[b]f[/b]uck', 'fuck'],
    ['a tag of a forum with a value', 'f[color=red]u[/color]ck', 'fuck\nred'],
    ['letters in brackets that could be tags', '[k][i][l][l]', '[kill]'],
    ['a line break between words', 'kill<br>them', 'kill them'],
  ])('is undone: %s: %s', (_, text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  it('hides nothing in a tag: what it says beside its name is read', () => {
    expect(normalise('Hello <b title="kill them all">there</b>')).toContain('kill them all');
    expect(normalise('Hello <!-- kill them all --> there')).toContain('kill them all');
  });

  it('hides nothing in letters that nobody sees: what they carry is read, and no part of the words around them', () => {
    const unseen = (text: string): string =>
      text.replace(/./gu, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)));
    expect(normalise(`What an id${unseen('kill them all')}iot`)).toBe('What an idiot\nkill them all');
    const { segments } = readText(`Good morning.${unseen('kill them all')}`);
    expect(segments[1]).toEqual({ text: 'kill them all', start: 13, end: 39 });
    expect(normalise(`🏴${unseen('gbeng')}\u{E007F} wins`)).toBe('🏴 wins');
  });

  it.each([
    'List<String> and Map<K, V>',
    'I <3 you',
    'see [1], [sic] and a[0]',
    'a < b and c > d',
    'if (a<b && c>d)',
    'Dear <your name>, <redacted>',
    'AT&T, R&D; Q&A; fish&chips;',
    'x&#0; &#x110000; &unknownname;',
    '&constructor; &valueOf;',
  ])('is not seen in: %s', (text) => {
    expect(normalise(text)).toBe(text);
  });
});
