/** Reads digits and symbols as the letters they are written for. Knows single tokens; which tokens to read is for others to say. */
import { asciiLetter } from './confusables.js';
import {
  ANY_LETTER,
  isFamiliarWord,
  looksEnglish,
  matchEnglishWord,
  type WordPattern,
} from '../words/familiar-words.js';
import { readTable } from '../tables.js';
import { IN_WORD, NOT_LETTERS } from '../words/characters.js';

/** What each sign can stand for, the likeliest letter first. */
const SIGNS = readTable(new URL('leet-signs.txt', import.meta.url));
/** Letters drawn with several signs. */
const DRAWN_LETTERS = Array.from(readTable(new URL('drawn-letters.txt', import.meta.url)));
const DRAWING = /[|\\([>]/;

/** Any symbol can hide a letter: f★ck. */
const MASKS = /^[*#@!$%&^+?~_\-.•=\p{S}]$/u;
const VARIATION_SELECTORS = /[\uFE0E\uFE0F]/gu;

/** Within a set: a letter, a digit, or a sign that can stand for a letter inside a word. */
export const IN_LEET_WORD = `${IN_WORD}@$!|+€£¢¥©®×§¡∂∆†`;

/** The letters that a sign can stand for, the likeliest first. */
export function lettersOfSign(sign: string): string | undefined {
  return SIGNS.get(sign);
}

/** Each character as the letters it can stand for; undefined if one of them stands for none. */
export function leetPattern(token: string): WordPattern | undefined {
  const pattern: string[] = [];
  for (const character of token) {
    const letters = SIGNS.get(character) ?? asciiLetter(character);
    if (letters === undefined) return undefined;
    pattern.push(letters);
  }
  return pattern;
}

/** Like leetPattern, but symbols stand for any letter, as in "f*ck"; undefined if the first character is not a letter. */
export function maskPattern(token: string): WordPattern | undefined {
  const pattern: string[] = [];
  for (const character of token.replace(VARIATION_SELECTORS, '')) {
    const letter = asciiLetter(character);
    if (pattern.length === 0 && letter === undefined) return undefined;
    if (letter === undefined && MASKS.test(character)) pattern.push(ANY_LETTER);
    else {
      const letters = letter ?? SIGNS.get(character);
      if (letters === undefined) return undefined;
      pattern.push(letters);
    }
  }
  return pattern;
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

const INNER_SIGN = /(?<=[a-z])[0-9@$](?=[a-z])/iu;
const SIGN = /[0-9@$]/gu;
const TWO_SIGNS = /[0-9@$]{2}/u;
const LOWER_CASE = /^[\p{Lu}0-9@$]?[\p{Ll}0-9@$]+$/u;

/** The token with each sign as the letter that it most often stands for. */
export function likeliestLetters(token: string): string {
  return token.replace(SIGN, (sign) => SIGNS.get(sign)?.charAt(0) ?? sign);
}

/**
 * Reads a word of the dictionary: "sup3rior" gives "superior". Undefined unless letters surround a sign and are more than the signs, so that l10n and a11y stay
 * what they are.
 */
export function readUncommonWord(token: string): string | undefined {
  const signs = token.match(SIGN)?.length ?? 0;
  if (!INNER_SIGN.test(token) || 2 * signs >= token.length) return undefined;
  // "A$AP".
  if (token.includes('$') && !LOWER_CASE.test(token)) return undefined;
  const word = matchEnglishWord(leetPattern(token) ?? []);
  return word === undefined ? undefined : inCaseOf(token, word);
}

/**
 * Reads a word that is on no list: "n1ckn4m3" gives "nickname". Undefined unless letters surround a sign, most characters are
 * letters, and the result reads like English, so that log4j, h264, C3PO and l10n stay what they are.
 */
export function readUnlistedWord(token: string): string | undefined {
  if (token.length < 5 || !INNER_SIGN.test(token) || TWO_SIGNS.test(token) || !LOWER_CASE.test(token)) return undefined;
  const pieces = token.split(SIGN);
  // Also of more signs than letters ("4l0n3"): each of their pieces is a single letter or none.
  if (pieces.every((piece) => piece.length < 2 || isFamiliarWord(piece))) return undefined;
  const word = likeliestLetters(token);
  return looksEnglish(word) ? word : undefined;
}
