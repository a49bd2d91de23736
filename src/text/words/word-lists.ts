/** The word lists of words/. They restore letters and tell sentences apart, so that the model can read a text, and never decide a verdict. */
import { readWords } from '../tables.js';

/** The commonest English words, most frequent first, counted in public comments. They tell words apart from codes and abbreviations. */
export const COMMON_WORDS = wordsOf('common');

/**
 * The next ten thousand of four letters and more, from the same comments; words of which most uses were toxic are left out. They tell
 * what a word with one letter masked or doubled was.
 */
export const LESS_COMMON_WORDS = wordsOf('less-common');

/** Words that people hide with symbols, digits and spaces. Where a mask leaves a choice the first that fits wins: the likeliest come first. */
export const MASKED_WORDS = wordsOf('masked');

/** Names, mostly, that are another word with a letter doubled. */
export const DOUBLED_NAMES = wordsOf('doubled-names');

/** In lower case and without the full stop behind them, which ends no sentence. */
export const DOTTED_ABBREVIATIONS = wordsOf('dotted-abbreviations');

function wordsOf(name: string): readonly string[] {
  return readWords(new URL(`${name}.txt`, import.meta.url));
}
