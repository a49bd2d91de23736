/** The promise that no symbol hides a word, whichever it is and wherever it stands, and that plain text keeps its symbols. */
import { describe, expect, it } from 'vitest';
import { PLACEMENTS } from '../../../../benchmarks/symbols/placements.js';
import { normalise } from '../../../../src/text/normalise.js';

/** Of the categories So, Sm, Sk, Sc, Lm, No, of private use and unassigned; and letters of other scripts. */
const HIDING = [
  ...['█', '►', '◆', '░', '▓', '║', '◇', '○', '▲', '★', '♥', '☭', '⠿', '䷀', '𝄃', '𝠀', '⅀', '⟁', '𞻰'],
  ...['∆', '≠', '⊕', '∮', '⨀', '￢', '¨', '˘', '꜀', '🏽', '฿', '₿', '₮', '؋', '﷼'],
  ...['ʰ', 'ˠ', 'ˈ', 'ː', 'ᵡ', 'ⱽ', 'ꟸ', '𞀰', '¹', '₇', '①', '㊿', '𐄇', '௰', '፲', '𞱱'],
  ...['\ue000', '\u{f0000}', '\u0378', 'ツ', 'ღ', 'ㅋ', 'ᚠ', '٣', 'Ⓐ', '🅇'],
];
const WORDS = ['Kill', 'all', 'the', 'stupid', 'idiots'];

describe.each(Object.entries(PLACEMENTS))('a symbol %s', (_, place) => {
  it.each(HIDING)('leaves every word readable: %s', (symbol) => {
    const copy = normalise(place(WORDS.join(' '), symbol));
    expect(copy.split(/\s+/u).filter((piece) => piece !== symbol)).toEqual(WORDS);
  });
});

describe('a symbol in a word', () => {
  it.each([
    ['in place of a letter', 'f★ck you', 'fuck you'],
    ['that is an emoji, in place of a letter', 'f🍆ck', 'fuck'],
    ['once, in a listed word', 'fu◆ck', 'fuck'],
    ['once, in a word of the dictionary', 'Zion◆ists', 'Zionists'],
    ['that is a digit in a circle, for a letter', 'sh①t', 'shit'],
    ['that is a raised letter', 'fuᶜk yᵒu', 'fuck you'],
    ['that is a raised letter, at its end', 'fucᵏ', 'fuck'],
    ['that is a squared letter, at its beginning', '🅱️itch', 'Bitch'],
  ])('is undone %s: %s', (_, text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  it.each([
    ['circled letters, first to last', 'ⒶⓏⓐⓩ', 'AZaz'],
    ['parenthesised letters', '⒜⒵🄐🄩', 'azAZ'],
    ['squared letters', '🄰🅉🅰🆉', 'AZAZ'],
    ['letters on black circles', '🅐🅩', 'AZ'],
    ['raised letters', 'ᵏⁱˡˡ', 'kill'],
    ['raised letters set apart', 'ᵏ ⁱ ˡ ˡ', 'kill'],
  ])('is a letter where all are of %s: %s', (_, text, copy) => {
    expect(normalise(text)).toBe(copy);
  });
});

it('an emoji that words touch is parted from the next: the tokenizer knows it', () => {
  expect(normalise('clap👏🏽clap')).toBe('clap👏🏽 clap');
});

describe('letters of another script at a Latin word', () => {
  it.each([
    ['fuckシyou', 'fuck シ you'],
    ['ㅋidiotㅋ', 'ㅋ idiot ㅋ'],
    ['ㅋㅋㅋidiotㅋㅋㅋ', 'ㅋㅋㅋ idiot ㅋㅋㅋ'],
  ])('are parted from it where they are no words: %s', (text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  it.each(['私はiPhoneを買った', 'Netflix를 봤어', 'Tシャツを買いました', 'Ich liebe 東京 sehr'])(
    'stay in a text of that script: %s',
    (text) => {
      expect(normalise(text)).toBe(text);
    },
  );
});

describe('symbols at most words of a text', () => {
  it.each([
    ['My⚹ sister⚹ bakes⚹ a⚹ bread⚹.', 'My sister bakes a bread.'],
    ['⚹My ◆sister ⚹bakes a bread', 'My sister bakes a bread'],
    ['My⚹sister⚹◆bakes⚹bread', 'My sister bakes bread'],
  ])('are left out: %s', (text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  it('are kept where other words are more', () => {
    expect(normalise('My⚹ sister⚹ bakes⚹ a bread for all of her friends')).toBe(
      'My ⚹ sister ⚹ bakes ⚹ a bread for all of her friends',
    );
  });
});

describe('symbols of plain text stay as they are', () => {
  it.each([
    'It costs $5, €20 or 20€, ₹500 and £3.',
    'Heat it to 20°C (±2°), x = 3, 2 × 3 = 6, 3² = 9 and E = mc².',
    'C++ and C#, H₂O, CO₂, 5 km², ½ cup, №5, Zyxel™, 10⁻³.',
    'Happy birthday🎂 to you😀😀 and 🇺🇸!',
    'A → B, a ≤ b, p ∧ q, ★★★★☆, ♪ ♫',
    '歌う♪ すごい～',
  ])('%s', (text) => {
    expect(normalise(text)).toBe(text);
  });
});
