/** The word lists of words/. They restore letters, so that the model can read a word, and never decide a verdict. */
import { readFileSync } from 'node:fs';

/** The commonest English words, most frequent first, counted in public comments. They tell words apart from codes and abbreviations. */
export const COMMON_WORDS = wordsOf('common');

/**
 * The next ten thousand of four letters and more, from the same comments; words of which most uses were toxic are left out. They tell
 * what a word with one letter masked or doubled was.
 */
export const LESS_COMMON_WORDS = wordsOf('less-common');

/** Words that people hide with symbols, digits and spaces. Where a mask leaves a choice the first that fits wins: the likeliest come first. */
export const MASKED_WORDS = wordsOf('masked');

function wordsOf(name: string): readonly string[] {
  return readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split(/\s+/);
}
