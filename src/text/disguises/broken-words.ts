/** Joins words that one space cuts in two: "fu ck". Knows which words people hide. */
import {
  areWordsOfOneLanguage,
  isCommonWord,
  isKnownWord,
  isMaskedWord,
  languagesOf,
  languagesThatHide,
  mayStartMaskedWord,
  type Languages,
} from '../words/familiar-words.js';
import type { PlacedText } from '../placed-text.js';
import { IN_WORD, VOWEL } from '../words/characters.js';

const BROKEN_PAIR = new RegExp(`(?<![${IN_WORD}'’\`´])(\\p{L}{1,10}) (?=(\\p{L}{1,10})(?!['’\`´]?[${IN_WORD}]))`, 'gu');

/** "fu ck", "b itch": a pair that spells a word people hide and is not itself two words ("dumb ass" stays). */
export function joinBrokenWords(placed: PlacedText): PlacedText {
  let spoken: Languages | undefined;
  return placed.replace(BROKEN_PAIR, (pair, _, [first = '', second = '']) => {
    if (!mayStartMaskedWord(first, first.length + second.length)) return pair;
    if (!isMaskedWord(first + second) || areWordsOfOneLanguage([first, second])) return pair;
    // "мудак и": a word and another of one letter.
    if (second.length === 1 && isKnownWord(first)) return pair;
    // "Model S ex VAT", "vitamin D ie".
    if (/^[A-Z]$/.test(first) && second.length <= 2) return pair;
    // "pen is", "kids s hit": beside an ordinary word only what cannot be a word, as in "sh it", proves a cut.
    spoken ??= languagesOf(placed.text);
    const hiding = languagesThatHide(first + second) & spoken;
    if (hiding === 0) return pair;
    if (isCommonWord(first, hiding) && !isFragment(second)) return pair;
    if (isCommonWord(second, hiding) && !isFragment(first)) return pair;
    return first;
  });
}

function isFragment(letters: string): boolean {
  return letters.length > 1 && !VOWEL.test(letters.normalize('NFD'));
}
