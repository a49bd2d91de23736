import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../src/text/normalise.js';
import { readPicturedLetters } from '../../../../src/text/disguises/pictured-letters.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

describe('readPicturedLetters', () => {
  it.each([
    ['千ㄩ匚Ҝ', 'fuck'],
    ['丨ᗪ丨ㄖㄒ', 'idiot'],
    ['₣Ʉ₵₭ ɎØɄ', 'fuck you'],
    ['เ๔เ๏Շ', 'idiot'],
    ['ƗĐƗØŦ', 'idiot'],
    ['ιᗪιoт', 'ιᗪιoт'],
  ])('reads %s as %s', (disguised, plain) => {
    expect(readPicturedLetters(new PlacedText(disguised)).text).toBe(plain);
  });

  it.each([
    '山口さんは千代田区に住んでいます。',
    '工口刀下千山',
    'Łódź, Đà Nẵng, smørrebrød, Ħamrun',
    '₱500, ₦2000, ₩₩₩, 20 ₣',
    'ภาษาไทย',
    'ሰላም ነው',
    'שלום وعليكم السلام',
    'Đồ ăn ngon quá, Ørsted và Łukasz',
    'ɓaɗi ɗan ƙasa',
  ])('leaves %s as it is', (text) => {
    expect(readPicturedLetters(new PlacedText(text)).text).toBe(text);
  });

  it('is part of what is undone before the model reads', () => {
    expect(normalise('you 丨ᗪ丨ㄖㄒ')).toBe('you idiot');
  });
});
