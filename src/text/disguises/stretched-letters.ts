/** Shortens letters that were stretched for effect or to slip past a filter: "fuuuuck", "stuupid", "loooove". */
import { PlacedText, type Rewriting } from '../placed-text.js';
import { IN_WORD, TOKENS } from '../words/characters.js';
import {
  frequentWordsWithSameLetters,
  isEnglishText,
  isEnglishWord,
  isFamiliarWord,
  isMaskedWord,
  wordsWithSameLetters,
} from '../words/familiar-words.js';
import { DOUBLED_NAMES } from '../words/word-lists.js';
import { isAddress } from './protected-tokens.js';

const REPEATED = /(.)\1/iu;
const STRETCHED = /(\p{Script=Latin})\1{2,}/giu;
const RUN = /(.)\1*/giu;
const LETTERS_ONLY = /^[A-Za-z]+$/;
const ROMAN_NUMERAL = /^[IVXLCDM]+$/;

const NAMES = new Set(DOUBLED_NAMES);

/** Not beside a digit or what begins a name: "BFFF24", "@userrr". */
const WORDS = new RegExp(`(?<![${IN_WORD}@$])[\\p{L}\\p{M}]+(?![${IN_WORD}@$])`, 'gu');

/** The text with stretched letters shortened, but for addresses. */
export function shortenStretchedWords(placed: PlacedText): PlacedText {
  if (!REPEATED.test(placed.text)) return placed;
  let isEnglish: boolean | undefined;
  const shorten = (word: string): string =>
    REPEATED.test(word) ? shortenStretchedLetters(word, (isEnglish ??= isEnglishText(placed.text))) : word;
  return placed.replace(TOKENS, (token): Rewriting => {
    if (!REPEATED.test(token)) return token;
    if (LETTERS_ONLY.test(token)) return shorten(token);
    return isAddress(token) ? token : new PlacedText(token).replace(WORDS, shorten);
  });
}

/** A shorter word with a letter too many is too often another word, or a name: "Matt" is no "mat". */
const SHORTEST_FREQUENT = 4;

/**
 * @param word letters only
 * @param isAmongEnglish elsewhere a doubled letter is spelling: German "statt", French "bonne"
 * @returns the word with runs of three or more letters shortened to what a familiar word has, else to two; doubled letters are only
 * touched where that uncovers a word that people hide, or a frequent one in what is no word
 */
export function shortenStretchedLetters(word: string, isAmongEnglish = true): string {
  if (!REPEATED.test(word)) return word;
  const lower = word.toLowerCase();
  if (isFamiliarWord(lower) || isEnglishWord(lower) || NAMES.has(lower) || ROMAN_NUMERAL.test(word)) return word;
  const runs = lower.match(RUN) ?? [];
  // One letter alone (www, AAA, #FFFFFF, zzzz, the laughter kkkkkk) says the same at any length.
  if (runs.length === 1) return word;
  const candidates = wordsWithSameLetters(lower).filter((candidate) => isShortened(candidate, runs));
  const longest = candidates.reduce((best, candidate) => (candidate.length > best.length ? candidate : best), '');
  if (longest !== '') return shortenTo(word, longest);
  const frequent = isAmongEnglish ? frequentWordIn(lower, runs) : undefined;
  if (frequent !== undefined) return shortenTo(word, frequent);
  // Romanian "copiii": three are spelling as well.
  if (!isAmongEnglish) return word;
  // In short codes (IIIB) three are three.
  if (word === word.toUpperCase() && runs.every((run) => run.length <= 3)) return word;
  return word.replace(STRETCHED, '$1$1');
}

function isShortened(candidate: string, runs: readonly string[]): boolean {
  const mayShortenPairs = isMaskedWord(candidate);
  return (candidate.match(RUN) ?? []).every((wanted, index) => {
    const length = runs[index]?.length ?? 0;
    return wanted.length === length || (wanted.length < length && (length >= 3 || mayShortenPairs));
  });
}

function frequentWordIn(lower: string, runs: readonly string[]): string | undefined {
  return frequentWordsWithSameLetters(lower).find(
    (candidate) =>
      candidate.length >= SHORTEST_FREQUENT &&
      (candidate.match(RUN) ?? []).every((wanted, index) => wanted.length <= (runs[index]?.length ?? 0)),
  );
}

/** Keeps the case of the letters that stay. */
function shortenTo(word: string, shorter: string): string {
  const runs = word.match(RUN) ?? [];
  const wanted = shorter.match(RUN) ?? [];
  return runs.map((run, index) => run.slice(0, wanted[index]?.length ?? run.length)).join('');
}
