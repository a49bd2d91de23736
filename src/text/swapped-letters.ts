/** Puts two letters back that changed places inside a word that people hide: "stpuid", "idoit". */
import { MASKED_WORDS } from './word-lists.js';

const SHORTEST_WORD = 4;

/** Words of their own, which two swapped letters make out of a listed one. */
const ORDINARY = new Set(['bobos', 'carp', 'cnut', 'crepey', 'gnus', 'prevert']);

const wordOf = new Map<string, string>();
for (const word of MASKED_WORDS) {
  if (word.length < SHORTEST_WORD) continue;
  for (const swapped of withInnerLettersSwapped(word)) if (!ORDINARY.has(swapped)) wordOf.set(swapped, word);
}
// A listed word is what it says, whatever else it could be.
for (const word of MASKED_WORDS) wordOf.delete(word);

/** The ends of a word stay: a reader needs them most. */
function withInnerLettersSwapped(word: string): string[] {
  return Array.from(
    { length: word.length - 3 },
    (_, index) => word.slice(0, index + 1) + word.charAt(index + 2) + word.charAt(index + 1) + word.slice(index + 3),
  );
}

/**
 * @param word letters only
 * @returns the listed word in lower case, or undefined if it is none with two letters swapped
 */
export function readSwappedLetters(word: string): string | undefined {
  return wordOf.get(word.toLowerCase());
}
