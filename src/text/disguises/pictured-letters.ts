/**
 * Alphabets that text generators make of signs of other scripts that look like Latin letters: 丨ᗪ丨ㄖㄒ, เ๔เ๏Շ, ₣Ʉ₵₭. A word is read as Latin where
 * all of its signs are such letters or ASCII ones, and the former come from two scripts or more: no language writes so. A word of one
 * script stays, since 千山 is one: so do the few that a generator makes of one script alone.
 */
import type { PlacedText } from '../placed-text.js';
import { readLetters } from '../tables.js';

const letters = readLetters(new URL('tables/pictured-letters.txt', import.meta.url));
const ASCII_LETTER = /^[A-Za-z]$/;
const SIGNS = Array.from(letters.keys()).join('');
const PICTURED = new RegExp(`[${SIGNS}]`, 'u');
// Some of the signs are digits or punctuation where they come from.
const WORD = new RegExp(`[\\p{L}\\p{M}\\p{Sc}${SIGNS}]{3,}`, 'gu');

/** What tells scripts apart: the letters with strokes are Latin, but of no one language, and currencies are no letters. */
const SCRIPTS: readonly RegExp[] = [
  /[\u0180-\u024F\u2C60-\u2C7F\uA720-\uA7FF\u1D7E\u1D7D]/u,
  ...['Latin', 'Han', 'Bopomofo', 'Katakana', 'Thai', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Armenian'].map(
    scriptOf,
  ),
  ...['Canadian_Aboriginal', 'Cherokee'].map(scriptOf),
];

function scriptOf(name: string): RegExp {
  return new RegExp(`\\p{Script=${name}}`, 'u');
}

/** The text with such words in ASCII letters. */
export function readPicturedLetters(placed: PlacedText): PlacedText {
  if (!PICTURED.test(placed.text)) return placed;
  return placed.replace(WORD, (word) => {
    const signs = Array.from(word);
    const read = signs.map((sign) => (ASCII_LETTER.test(sign) ? sign : letters.get(sign)));
    if (read.includes(undefined)) return word;
    const pictured = signs.filter((sign) => letters.has(sign));
    const scripts = new Set(pictured.map((sign) => SCRIPTS.findIndex((script) => script.test(sign))));
    return scripts.size > 1 ? read.join('') : word;
  });
}
