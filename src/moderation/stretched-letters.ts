/** Shortens letters that were stretched for effect or to slip past a filter: "fuuuuck", "stuupid", "loooove". */
import { isFamiliarWord, isMaskedWord, wordsWithSameLetters } from './familiar-words.js';

const REPEATED = /(.)\1/iu;
const STRETCHED = /(\p{Script=Latin})\1{2,}/giu;
const RUN = /(.)\1*/giu;
const ROMAN_NUMERAL = /^[IVXLCDM]+$/;

// Ordinary words that a doubled letter makes out of a masked word.
const NOT_STRETCHED = new Set(['assess', 'gunn', 'looser', 'rapped', 'rapper', 'rappers', 'rapping']);

/**
 * @param word letters only
 * @returns the word with runs of three or more letters shortened to what a familiar word has, else to two; doubled letters are only
 * touched where that uncovers a word that people hide
 */
export function shortenStretchedLetters(word: string): string {
  if (!REPEATED.test(word)) return word;
  const lower = word.toLowerCase();
  if (isFamiliarWord(lower) || NOT_STRETCHED.has(lower) || ROMAN_NUMERAL.test(word)) return word;
  const runs = lower.match(RUN) ?? [];
  const candidates = wordsWithSameLetters(lower).filter((candidate) => isShortened(candidate, runs));
  const longest = candidates.reduce((best, candidate) => (candidate.length > best.length ? candidate : best), '');
  if (longest !== '') return shortenTo(word, longest);
  // One letter alone (www, AAA, #FFFFFF, zzzz) says the same at any length, and in short codes (IIIB) three are three.
  if (runs.length === 1 || (word === word.toUpperCase() && runs.every((run) => run.length <= 3))) return word;
  return word.replace(STRETCHED, '$1$1');
}

function isShortened(candidate: string, runs: readonly string[]): boolean {
  const mayShortenPairs = isMaskedWord(candidate);
  return (candidate.match(RUN) ?? []).every((wanted, index) => {
    const length = runs[index]?.length ?? 0;
    return wanted.length === length || (wanted.length < length && (length >= 3 || mayShortenPairs));
  });
}

/** Keeps the case of the letters that stay. */
function shortenTo(word: string, shorter: string): string {
  const runs = word.match(RUN) ?? [];
  const wanted = shorter.match(RUN) ?? [];
  return runs.map((run, index) => run.slice(0, wanted[index]?.length ?? run.length)).join('');
}
