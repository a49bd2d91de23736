/** Death wishes and talk of suicide as they are abbreviated and renamed to get past filters: words that the model's vocabulary does not know. */
import { PlacedText } from '../placed-text.js';
import { readTable } from '../tables.js';
import { isAddress } from './protected-tokens.js';
import { IN_WORD, TOKENS } from '../words/characters.js';

const MEANINGS = readTable(new URL('tables/abbreviations.txt', import.meta.url));

// "kys.fi" is a host, whatever country it is in.
const ABBREVIATION = new RegExp(`(?<![${IN_WORD}])(?:${[...MEANINGS.keys()].join('|')})(?!\\.?[${IN_WORD}])`, 'giu');

/** The text with these words written out, but for addresses and names of accounts. */
export function spellOutAbbreviations(placed: PlacedText): PlacedText {
  if (placed.text.search(ABBREVIATION) < 0) return placed;
  return placed.replace(TOKENS, (token) =>
    isAddress(token) || token.startsWith('@')
      ? token
      : new PlacedText(token).replace(ABBREVIATION, (word) => MEANINGS.get(word.toLowerCase()) ?? word),
  );
}
