/** Shortens letters that were stretched for effect or to slip past a filter: "fuuuuck", "stuupid", "loooove". */
import { PlacedText, type Rewriting } from '../placed-text.js';
import { IN_WORD, TOKENS } from '../words/characters.js';
import {
  ANY_LANGUAGE,
  isDoubledName,
  isKnownWord,
  isMaskedWord,
  languagesOf,
  mayStretchMaskedWord,
  type Languages,
} from '../words/familiar-words.js';
import { isAddress } from './protected-tokens.js';

const REPEATED = /(.)\1/iu;
const RUN = /(.)\1*/giu;
const LETTERS_ONLY = /^\p{L}+$/u;
const ROMAN_NUMERAL = /^[IVXLCDM]+$/;

/** Not beside a digit or what begins a name: "BFFF24", "@userrr". */
const WORDS = new RegExp(`(?<![${IN_WORD}@$])[\\p{L}\\p{M}]+(?![${IN_WORD}@$])`, 'gu');

/** The text with stretched letters shortened, but for addresses. */
export function shortenStretchedWords(placed: PlacedText): PlacedText {
  if (!REPEATED.test(placed.text)) return placed;
  let spoken: Languages | undefined;
  const spokenHere = (): Languages => (spoken ??= languagesOf(placed.text));
  const shorten = (word: string): string => (REPEATED.test(word) ? shortenStretchedLetters(word, spokenHere) : word);
  return placed.replace(TOKENS, (token): Rewriting => {
    if (!REPEATED.test(token)) return token;
    if (LETTERS_ONLY.test(token)) return shorten(token);
    return isAddress(token) ? token : new PlacedText(token).replace(WORDS, shorten);
  });
}

/** Of a word with more runs only the first so many are tried at other lengths. */
const MOST_RUNS = 5;
const LONGEST_WORD = 40;

/**
 * @param word letters only
 * @returns the longest word that is known and has some of the runs shorter: those of three letters and more as one or two, doubled ones as one
 * where that uncovers a word that people hide; the word itself where there is none
 */
export function shortenStretchedLetters(word: string, spokenHere = (): Languages => ANY_LANGUAGE): string {
  if (!REPEATED.test(word) || word.length > LONGEST_WORD) return word;
  if (isKnownWord(word) || isDoubledName(word) || ROMAN_NUMERAL.test(word)) return word;
  const runs = word.match(RUN) ?? [];
  // One letter alone (www, AAA, #FFFFFF, zzzz, the laughter kkkkkk) says the same at any length.
  if (runs.length === 1) return word;
  // In short codes (IIIB) three are three.
  if (word === word.toUpperCase() && runs.every((run) => run.length <= 3)) return word;
  const isStretched = runs.some(({ length }) => length > 2);
  const known = isStretched
    ? shortened(runs, ({ length }) => (length > 2 ? [2, 1] : [length])).find(isKnownWord)
    : undefined;
  if (known !== undefined) return known;
  const hidden = mayStretchMaskedWord(word)
    ? shortened(runs, ({ length }) => (length > 1 ? [2, 1] : [length])).find((shorter) => isMaskedWord(shorter))
    : undefined;
  return hidden !== undefined && isMaskedWord(hidden, spokenHere()) ? hidden : word;
}

/** Words of these runs at other lengths, the longest first. */
function shortened(runs: readonly string[], lengthsOf: (run: string) => readonly number[]): string[] {
  let tried = 0;
  const words = runs.reduce<string[]>(
    (starts, run) => {
      const lengths = lengthsOf(run);
      if (lengths.length > 1) tried += 1;
      const allowed = tried > MOST_RUNS ? lengths.slice(0, 1) : lengths;
      return starts.flatMap((start) => allowed.map((length) => start + run.slice(0, length)));
    },
    [''],
  );
  return words.sort((one, other) => other.length - one.length);
}
