/**
 * Reads texts that are written in leetspeak. Where two words are, what could be a code ("ju57", "l457") is a word as well, and a name is spelled like
 * them ("P373r").
 */
import { matchCommonWord, matchEnglishWord, matchMaskedWord, soundsEnglish } from '../words/familiar-words.js';
import { inCaseOf, leetPattern, likeliestLetters, IN_LEET_WORD } from './leetspeak.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { isAddress, isCode, isQuantity } from './protected-tokens.js';
import { IN_WORD, TOKENS } from '../words/characters.js';

/** "7h15!" ends in an exclamation mark. */
const PIECE = new RegExp(`[${IN_WORD}@$](?:[${IN_LEET_WORD}]*[${IN_WORD}@$])?`, 'gu');
const LETTER_BESIDE_DIGIT = /\p{L}[@$]*\d|\d[@$]*\p{L}/u;

/** Of 52,000 ordinary texts three have two words like that, and they are in leetspeak. */
const LEAST_WORDS = 2;
/** "l10n" is localisation, "a11y" accessibility. */
const NUMERONYM = /^\p{L}[1-9]\d\p{L}$/u;

/** The text with its leetspeak read, if it is written in it. */
export function readLeetspeakTexts(placed: PlacedText): PlacedText {
  return isWrittenInLeetspeak(placed.text) ? placed.replace(TOKENS, readToken) : placed;
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
  return !isCode(piece) && !NUMERONYM.test(piece) && wordIn(piece) !== undefined;
}

function readToken(token: string): Rewriting {
  if (isAddress(token)) return token;
  return new PlacedText(token).replace(PIECE, (piece) => wordIn(piece) ?? nameIn(piece) ?? piece);
}

function wordIn(piece: string): string | undefined {
  if (!mayBeLeetspeak(piece)) return undefined;
  const pattern = leetPattern(piece) ?? [];
  const word = matchMaskedWord(pattern) ?? matchCommonWord(pattern) ?? matchEnglishWord(pattern);
  return word === undefined ? undefined : inCaseOf(piece, word);
}

function nameIn(piece: string): string | undefined {
  if (!mayBeLeetspeak(piece) || isCode(piece)) return undefined;
  const name = likeliestLetters(piece);
  return soundsEnglish(name) ? name : undefined;
}

/** "100k" is no "look". */
function mayBeLeetspeak(piece: string): boolean {
  return LETTER_BESIDE_DIGIT.test(piece) && !isQuantity(piece);
}
