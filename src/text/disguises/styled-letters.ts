/** Letters and digits in other forms than a word is written with: raised, circled, squared. What they stand for depends on the word. */
import { readTable } from '../tables.js';

/** The first code points of alphabets, each with its first letter: `A` or `a`. */
const ALPHABETS = Array.from(
  readTable(new URL('tables/styled-alphabets.txt', import.meta.url)),
  ([sign, letter]): [number, string] => [sign.codePointAt(0) ?? 0, letter],
);
const ALPHABET_LENGTH = 26;

/**
 * Modifier letters of European scripts or of none, so nobody's spelling: raised letters (ʰ), tone and stress marks. Those that are apostrophes in
 * Ukrainian, Hawaiian, Uzbek and others (ʼ, ʻ) are none, nor are ー, 々, ๆ and the Arabic tatweel, which belong to scripts. As SYMBOL of
 * symbols.ts, a set for regular expressions with the flag v.
 */
export const MODIFIER =
  '[[\\p{Lm}&&[\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}\\p{scx=Zyyy}\\p{scx=Zinh}]]--[\\u02BB\\u02BC\\u02BE\\u02BF]]';
const CIRCLED = ALPHABETS.map(
  ([first]) => `\\u{${first.toString(16)}}-\\u{${(first + ALPHABET_LENGTH - 1).toString(16)}}`,
).join('');
export const STYLED_LETTER = `[${MODIFIER}[${CIRCLED}]]`;

const LETTERS_OR_DIGITS = /^[A-Za-z0-9]+$/;
const SELECTORS = /[\uFE0E\uFE0F]/gu;

/** The ASCII letters and digits that the characters are another form of; undefined where one of them is none. */
export function plainReading(characters: string): string | undefined {
  const plain = Array.from(characters.replace(SELECTORS, ''), plainForm).join('');
  return LETTERS_OR_DIGITS.test(plain) ? plain : undefined;
}

function plainForm(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  for (const [first, letter] of ALPHABETS) {
    if (codePoint >= first && codePoint < first + ALPHABET_LENGTH) {
      return String.fromCharCode(letter.charCodeAt(0) + codePoint - first);
    }
  }
  return character.normalize('NFKC');
}
