/** Which single characters are put into their plain form, and which are not. */
import { describe, expect, it } from 'vitest';
import { plainCharacters } from '../../../../src/text/disguises/character-forms.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

describe('plain characters', () => {
  it.each([
    ['letters and digits of other forms', 'ａ１𝟙', 'a11'],
    ['ligatures and Roman numerals', 'ﬁⅧ', 'fiVIII'],
    ['fullwidth signs between letters', 'ｓｈ！ｔ', 'sh!t'],
    ['reversed text', '\u202Etoidi\u202C you', 'idiot you'],
    ['regional indicators that name no region', '🇫🇺🇨🇰', 'FUCK'],
    ['a regional indicator alone', '🇫', 'F'],
    ['an odd number of them, after a flag', '🇺🇸🇺', 'USU'],
    ['an empty braille pattern', 'a\u2800b', 'a b'],
    ['a Hangul filler, which is drawn as a space', 'a\u3164b', 'a b'],
    ['joiners between letters', 'a\u200Db', 'ab'],
    ['marks on Latin letters', 'f\u0336u\u0336', 'fu'],
    ['a keycap without a digit', 'x\u20E3', 'x'],
  ])('are made of %s: %s', (_, text, expected) => {
    expect(plainCharacters(new PlacedText(text)).text).toBe(expected);
  });

  it.each([
    ['printable ASCII', 'Plain {text}!\n\t~'],
    ['flags', '🇺🇸🇬🇧'],
    ['keycaps', '1️⃣'],
    ['emoji with joiners', '👨‍👩‍👧'],
    ['fullwidth punctuation after a word', 'A！'],
    ['Korean laughter', 'ㅋㅋ'],
    ['joiners of Persian', 'می\u200cخواهم'],
    ['joiners of Hindi', 'क्\u200dयों'],
    ['accents that have no letter in one piece', 'kọ\u0301 g\u0303'],
    ['an Arabic mark that stands alone', 'معا ً'],
    ['a symbol for information', 'ℹ'],
    ['Greek symbols', 'ϑ'],
    ['circled digits', '①⓪'],
    ['typography', '½² … ™ “x”'],
    ['marks of Thai', '\u0E01\u0E49'],
    ['a Thai letter that NFKC takes apart', 'ำ'],
    ['an Arabic ligature that is a phrase', 'ﷺ'],
    ['what follows the last styled letter', '🆊'],
  ])('leave alone %s: %s', (_, text) => {
    expect(plainCharacters(new PlacedText(text)).text).toBe(text);
  });
});
