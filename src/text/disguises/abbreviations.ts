/** Death wishes and talk of suicide as they are abbreviated and renamed to get past filters: words that the model's vocabulary does not know. */
import { PlacedText } from '../placed-text.js';
import { isAddress } from './protected-tokens.js';
import { IN_WORD, TOKENS } from '../words/characters.js';

// Not "kms": it means kilometres as often.
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['kys', 'kill yourself'],
  ['diaf', 'die in a fire'],
  ['foad', 'fuck off and die'],
  ['unalive', 'kill'],
  ['unalives', 'kills'],
  ['unalived', 'killed'],
  ['unaliving', 'killing'],
  ['sewerslide', 'suicide'],
]);

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
