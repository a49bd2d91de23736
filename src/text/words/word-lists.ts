/** The short word lists of words/. They tell words and sentences apart, so that the model can read a text, and never decide a verdict. */
import { readWords } from '../tables.js';

/** Names, mostly, that are another word with a letter doubled. */
export const DOUBLED_NAMES = wordsOf('doubled-names');

/** In lower case and without the full stop behind them, which ends no sentence. */
export const DOTTED_ABBREVIATIONS = wordsOf('dotted-abbreviations');

function wordsOf(name: string): readonly string[] {
  return readWords(new URL(`${name}.txt`, import.meta.url));
}
