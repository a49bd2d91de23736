/**
 * Puts neutral words in the places of terms that never count: a radio, which is called so in nearly all languages, or a name that women and
 * men have. Knows where the terms stand from others.
 */
import type { PlacedText, Rewriting } from '../placed-text.js';
import type { TermMatch } from './found-terms.js';
import { readTable } from '../tables.js';
import { BEGINS_WORD, LETTER, NOT_LETTERS } from '../words/characters.js';

/** @param matches by offsets into the text, in order, none overlapping another */
export function neutralise(placed: PlacedText, matches: readonly TermMatch[]): PlacedText {
  const { text } = placed;
  const pieces: [string, Rewriting][] = [];
  let reached = 0;
  for (const { start, end } of matches) {
    const before = text.slice(reached, start);
    const term = text.slice(start, end);
    pieces.push([before, before], [term, neutralWordFor(term)]);
    reached = end;
  }
  const rest = text.slice(reached);
  return placed.rewrite([...pieces, [rest, rest]]);
}

const NEUTRAL_SYMBOL = '📦';
/** Each a script, a noun and, where the script has capitals, a name. */
const WORDS = Array.from(readTable(new URL('../words/neutral.txt', import.meta.url)), ([script, words]) => {
  const [noun = '', name] = words.split(' ');
  return { letter: new RegExp(`\\p{Script=${script}}`, 'u'), noun, name };
});
const HAS_WORD = new RegExp(`[${BEGINS_WORD}]`, 'u');

/** A word of the same script and case, a name where it is written with a capital; of a script that has none here, a Latin one. */
function neutralWordFor(written: string): string {
  if (!HAS_WORD.test(written)) return NEUTRAL_SYMBOL;
  const first = LETTER.exec(written)?.[0] ?? '';
  const { noun, name } = WORDS.find(({ letter }) => letter.test(first)) ?? WORDS[0] ?? { noun: '', name: undefined };
  const isCapital = first !== first.toLowerCase();
  if (name === undefined || !isCapital) return noun;
  const letters = written.replace(NOT_LETTERS, '');
  return letters.length > 1 && letters === letters.toUpperCase() ? name.toUpperCase() : name;
}
