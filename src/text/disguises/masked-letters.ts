/** Reads one token with signs among its letters as the word that it hides: leetspeak, masked letters, punctuation put between letters. */
import {
  areWordsOfOneLanguage,
  LONGEST_FAMILIAR_WORD,
  matchCommonWord,
  matchFrequentWord,
  matchMaskedWord,
  matchVeryCommonWord,
  type Languages,
} from '../words/familiar-words.js';
import { ANY_LETTER, type WordPattern } from '../words/word-trie.js';
import { inCaseOf, leetPattern, maskPattern, readDrawnLetters } from './leetspeak.js';
import { isQuantity } from './protected-tokens.js';
import { IN_WORD, LETTER, NOT_LETTERS, VOWEL } from '../words/characters.js';

export const HAS_SIGN = /[^\p{L}\p{M}]/u;
export const MASKED_LETTER = /^\p{L}+[*#@]\p{L}+$/u;

const SYMBOLS_ONLY = /^[@$!|+(]{3,}$/u;
const DIGIT = /\d/gu;
const LONG_RUN = /(.)\1{2,}/u;
const LONG_RUNS = /(.)\1{2,}/gu;

/** "P&G" hides no pig. */
const COMPANY = /^[A-Z]&[A-Z]$/;

/** The listed word that a token with signs in it is a disguise of. */
export function readMaskedWord(token: string, spoken: Languages): string | undefined {
  if (token.length > 2 * LONGEST_FAMILIAR_WORD || !HAS_SIGN.test(token)) return undefined;
  if (isQuantity(token)) return undefined;
  if (!LETTER.test(token))
    return SYMBOLS_ONLY.test(token) ? matchMaskedWord(leetPattern(token) ?? [], spoken) : undefined;
  // "A55" and "G4S" are names: in so short a token too little speaks for a word.
  if (token.length === 3 && (token.match(DIGIT)?.length ?? 0) > 1 && token !== token.toLowerCase()) return undefined;
  if (COMPANY.test(token)) return undefined;
  const word =
    readLeet(token, spoken) ??
    readStretchedLeet(token, spoken) ??
    readLeet(readDrawnLetters(token), spoken) ??
    readInserted(token, spoken) ??
    readMasks(token, spoken);
  return word === undefined ? undefined : inCaseOf(token, word);
}

function readLeet(token: string, spoken: Languages): string | undefined {
  const pattern = leetPattern(token);
  return pattern === undefined ? undefined : matchMaskedWord(pattern, spoken);
}

/** "sh111t", "a$$$$". */
function readStretchedLeet(token: string, spoken: Languages): string | undefined {
  if (!LONG_RUN.test(token)) return undefined;
  return readLeet(token.replace(LONG_RUNS, '$1'), spoken) ?? readLeet(token.replace(LONG_RUNS, '$1$1'), spoken);
}

// An apostrophe parts letters of ordinary words ("he'll"), so that only several of them are separators.
const SEPARATORS = new RegExp(`[^${IN_WORD}@$+|'’]+`, 'gu');
const SEPARATORS_AND_APOSTROPHES = new RegExp(`[^${IN_WORD}@$+|]+`, 'gu');
const SEVERAL_APOSTROPHES = /['’].*['’]/u;

/** "fu.ck", "d-u-m-b": read through the separators, unless they part words of their own ("mother-in-law", "kill_all"). */
function readInserted(token: string, spoken: Languages): string | undefined {
  // "fa*t" hides a letter.
  if (MASKED_LETTER.test(token) && matchCommonWord(maskPattern(token) ?? [], spoken) !== undefined) return undefined;
  const parts = token
    .split(SEVERAL_APOSTROPHES.test(token) ? SEPARATORS_AND_APOSTROPHES : SEPARATORS)
    .filter((part) => part !== '');
  if (parts.length < 2 || areWordsOfOneLanguage(parts)) return undefined;
  const joined = parts.join('');
  if (!LETTER.test(parts[0] ?? '') && !LETTER.test(parts.at(-1) ?? '')) return undefined;
  return readLeet(joined, spoken) ?? readStretchedLeet(joined, spoken);
}

const STARS_ONLY = /^\p{L}+\*+\p{L}*$/u;

/**
 * "f**k", "b!tch", "c_nt": two letters must be known, one where the rest are asterisks. Other signs than those that mask a letter may
 * stand between words ("you!they").
 */
function readMasks(token: string, spoken: Languages): string | undefined {
  const pattern = maskPattern(token);
  if (pattern === undefined || (partsAreWords(token) && !MASKED_LETTER.test(token))) return undefined;
  // "J.W.", "D+E", "F-G": initials and pairs.
  if (token.length === 3 && !MASKED_LETTER.test(token)) return undefined;
  const knownLetters = token.replace(NOT_LETTERS, '').length;
  const enough = STARS_ONLY.test(token) ? 1 : knownLetters * 2 >= token.length ? 2 : 3;
  const word = knownLetters >= enough ? matchMaskedWord(pattern, spoken) : undefined;
  return word === undefined || isLikelierCommon(token, pattern, word, spoken) ? undefined : word;
}

const ONE_HIDDEN_LETTER = /^\p{L}+[*#@!_-]\p{L}+$/u;

/** Who masks a word to hide it mostly masks a vowel: "h*te", but "ha*e" is sooner "have", and "t#at" is "that". */
function isLikelierCommon(token: string, pattern: WordPattern, word: string, spoken: Languages): boolean {
  if (!ONE_HIDDEN_LETTER.test(token) || VOWEL.test(word.charAt(pattern.indexOf(ANY_LETTER)).normalize('NFD')))
    return false;
  return matchCommonWord(pattern, spoken) !== undefined;
}

const LEAST_KNOWN_LETTERS = 3;

/** Harmless words are masked to hide their neighbours: "w*rld". One letter only. */
export function readOrdinaryMask(token: string, spoken: Languages): string | undefined {
  if (token.length <= LEAST_KNOWN_LETTERS || token.length > LONGEST_FAMILIAR_WORD || !MASKED_LETTER.test(token))
    return undefined;
  const leet = leetPattern(token) ?? [];
  const mask = maskPattern(token) ?? [];
  const word = matchFrequentWord(leet, spoken) ?? matchFrequentWord(mask, spoken);
  return word === undefined ? undefined : inCaseOf(token, word);
}

/** As `readMaskedWord`, but for words that are most frequent: "wh*re" is "where". */
export function readCommonMask(token: string, spoken: Languages): string | undefined {
  const frequent = MASKED_LETTER.test(token) ? matchVeryCommonWord(maskPattern(token) ?? [], spoken) : undefined;
  return frequent === undefined ? readMaskedWord(token, spoken) : inCaseOf(token, frequent);
}

export function partsAreWords(token: string): boolean {
  return areWordsOfOneLanguage(token.split(NOT_LETTERS).filter((part) => part !== ''));
}
