/**
 * Reads texts that are written in leetspeak. Where two words are, what could be a code ("ju57", "l457") is a word as well, and a name is spelled like
 * them ("P373r").
 */
import {
  ANY_LANGUAGE,
  languagesOf,
  matchFrequentWord,
  matchMaskedWord,
  type Languages,
} from '../words/familiar-words.js';
import { inCaseOf, leetPattern, likeliestLetters, IN_LEET_WORD } from './leetspeak.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { isAddress, isCode, isQuantity } from './protected-tokens.js';
import { IN_WORD, TOKENS, VOWEL } from '../words/characters.js';

/** "7h15!" ends in an exclamation mark. */
const PIECE = new RegExp(`[${IN_WORD}@$](?:[${IN_LEET_WORD}]*[${IN_WORD}@$])?`, 'gu');
const LETTER_BESIDE_DIGIT = /\p{L}[@$]*\d|\d[@$]*\p{L}/u;

/** Of 52,000 ordinary texts three have two words like that, and they are in leetspeak. */
const LEAST_WORDS = 2;
/** "l10n" is localisation, "a11y" accessibility. */
const NUMERONYM = /^\p{L}[1-9]\d\p{L}$/u;

/** The text with its leetspeak read, if it is written in it. */
export function readLeetspeakTexts(placed: PlacedText): PlacedText {
  if (!isWrittenInLeetspeak(placed.text)) return placed;
  const readAs = (spoken: Languages): PlacedText => placed.replace(TOKENS, (token) => readToken(token, spoken));
  return readAs(languagesOf(readAs(ANY_LANGUAGE).text));
}

function isWrittenInLeetspeak(text: string): boolean {
  if (!LETTER_BESIDE_DIGIT.test(text)) return false;
  const words = new Set<string>();
  for (const [token] of text.matchAll(TOKENS)) {
    if (isAddress(token)) continue;
    for (const [piece] of token.matchAll(PIECE)) {
      if (isPlainlyLeetspeak(piece)) words.add(piece.toLowerCase());
      if (words.size >= LEAST_WORDS) return true;
    }
  }
  return false;
}

function isPlainlyLeetspeak(piece: string): boolean {
  return !isCode(piece) && !NUMERONYM.test(piece) && wordIn(piece, ANY_LANGUAGE) !== undefined;
}

function readToken(token: string, spoken: Languages): Rewriting {
  if (isAddress(token)) return token;
  return new PlacedText(token).replace(PIECE, (piece) => wordIn(piece, spoken) ?? unlistedWordIn(piece) ?? piece);
}

function wordIn(piece: string, spoken: Languages): string | undefined {
  if (!mayBeLeetspeak(piece)) return undefined;
  const pattern = leetPattern(piece) ?? [];
  const word = matchMaskedWord(pattern, spoken) ?? matchFrequentWord(pattern, spoken);
  return word === undefined ? undefined : inCaseOf(piece, word);
}

function unlistedWordIn(piece: string): string | undefined {
  if (!mayBeLeetspeak(piece) || isCode(piece)) return undefined;
  const word = likeliestLetters(piece);
  return VOWEL.test(word.normalize('NFD')) ? word : undefined;
}

/** "100k" is no "look". */
function mayBeLeetspeak(piece: string): boolean {
  return LETTER_BESIDE_DIGIT.test(piece) && !isQuantity(piece);
}
