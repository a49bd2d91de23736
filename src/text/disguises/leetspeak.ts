/** Reads digits and symbols as the letters they are written for. Knows single tokens; which tokens to read is for others to say. */
import { asciiLetter } from './confusables.js';
import { matchFrequentWord, type Languages } from '../words/familiar-words.js';
import { ANY_LETTER, type WordPattern } from '../words/word-trie.js';
import { readTable } from '../tables.js';
import { IN_WORD, LETTER, NOT_LETTERS } from '../words/characters.js';

/** What each sign can stand for, the likeliest letter first, by alphabet in the order of ALPHABETS. */
const SIGNS = new Map(
  Array.from(
    readTable(new URL('tables/leet-signs.txt', import.meta.url)),
    ([sign, letters]): [string, readonly string[]] => [sign, letters.split(' ')],
  ),
);
/** What a word of each has; a word that has nothing of the later ones is taken for Latin. */
const ALPHABETS = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u];
/** Letters drawn with several signs. */
const DRAWN_LETTERS = Array.from(readTable(new URL('tables/drawn-letters.txt', import.meta.url)));
const DRAWING = /[|\\([>]/;

/** Any symbol can hide a letter: f★ck. */
const MASKS = /^[*#@!$%&^+?~_\-.•=\p{S}]$/u;
const VARIATION_SELECTORS = /[\uFE0E\uFE0F]/gu;

/** Within a set: a letter, a digit, or a sign that can stand for a letter inside a word. */
export const IN_LEET_WORD = `${IN_WORD}@$!|+€£¢¥©®×§¡∂∆†`;

/** The letters that a sign can stand for in a word, the likeliest first. */
export function lettersOfSign(sign: string, word: string): string | undefined {
  return SIGNS.get(sign)?.[alphabetOf(word)];
}

function alphabetOf(word: string): number {
  return Math.max(
    0,
    ALPHABETS.findIndex((letter) => letter.test(word)),
  );
}

/** Each character as the letters it can stand for; undefined if one of them stands for none. */
export function leetPattern(token: string): WordPattern | undefined {
  const alphabet = alphabetOf(token);
  const pattern: string[] = [];
  for (const character of token) {
    const letters = SIGNS.get(character)?.[alphabet] ?? plainLetters(character);
    if (letters === undefined) return undefined;
    pattern.push(letters);
  }
  return pattern;
}

/** Like leetPattern, but symbols stand for any letter, as in "f*ck"; undefined if the first character is not a letter. */
export function maskPattern(token: string): WordPattern | undefined {
  const alphabet = alphabetOf(token);
  const pattern: string[] = [];
  for (const character of token.replace(VARIATION_SELECTORS, '')) {
    const letters = plainLetters(character);
    if (pattern.length === 0 && letters === undefined) return undefined;
    if (letters === undefined && MASKS.test(character)) pattern.push(ANY_LETTER);
    else {
      const read = letters ?? SIGNS.get(character)?.[alphabet];
      if (read === undefined) return undefined;
      pattern.push(read);
    }
  }
  return pattern;
}

/** The letter itself, and what one that no language writes with stands for. */
function plainLetters(character: string): string | undefined {
  if (character >= 'a' && character <= 'z') return character;
  if (!LETTER.test(character)) return undefined;
  const lower = character.toLowerCase();
  const ascii = asciiLetter(character) ?? '';
  return lower === ascii ? lower : lower + ascii;
}

/** The token with letters for the signs that draw one: "|=uc|<" gives "fuck". */
export function readDrawnLetters(token: string): string {
  if (!DRAWING.test(token)) return token;
  return DRAWN_LETTERS.reduce((text, [drawing, letter]) => text.replaceAll(drawing, letter), token);
}

/** The word with the capitals that the token's own letters suggest. */
export function inCaseOf(token: string, word: string): string {
  const letters = token.replace(NOT_LETTERS, '');
  if (letters.length > 1 && letters === letters.toUpperCase()) return word.toUpperCase();
  const first = token.charAt(0);
  return first !== first.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

const INNER_SIGN = /(?<=\p{L})[0-9@$](?=\p{L})/u;
const SIGN = /[0-9@$!|+€]/gu;
const LOWER_CASE = /^[\p{Lu}0-9@$]?[\p{Ll}\p{M}0-9@$]+$/u;

/** The token with each sign as the letter that it most often stands for. */
export function likeliestLetters(token: string): string {
  return token.replace(SIGN, (sign) => lettersOfSign(sign, token)?.charAt(0) ?? sign);
}

/**
 * Reads a frequent word: "sup3rior" gives "superior". Undefined unless letters surround a sign and are more than the signs, so that l10n and a11y stay
 * what they are.
 */
export function readFrequentWord(token: string, spoken: Languages): string | undefined {
  const signs = token.match(SIGN)?.length ?? 0;
  if (!INNER_SIGN.test(token) || 2 * signs >= token.length) return undefined;
  // "A$AP".
  if (token.includes('$') && !LOWER_CASE.test(token)) return undefined;
  const word = matchFrequentWord(leetPattern(token) ?? [], spoken);
  return word === undefined ? undefined : inCaseOf(token, word);
}
