/** Undoes the disguises of a text, so that the model reads what a person reads. Decides nothing, and knows nothing of labels. */
import { getEnvironmentData } from 'node:worker_threads';
import { spellOutAbbreviations } from './disguises/abbreviations.js';
import { joinBrokenWords } from './disguises/broken-words.js';
import { plainCharacters } from './disguises/character-forms.js';
import { foldConfusables } from './disguises/confusables.js';
import { revealDisguisedWords } from './disguises/disguised-words.js';
import { readLeetspeakTexts } from './disguises/leetspeak-texts.js';
import { withoutMarkup } from './disguises/markup.js';
import { readPicturedLetters } from './disguises/pictured-letters.js';
import { joinSpacedLetters } from './disguises/spaced-letters.js';
import { shortenStretchedWords } from './disguises/stretched-letters.js';
import { partSymbols } from './disguises/symbols.js';
import { PlacedText } from './placed-text.js';

/** Undoes one kind of disguise; gives a text that has none of it back as it is. */
export type Step = (text: PlacedText) => PlacedText;

/** In the order in which they are taken: characters first, then words. */
export const STEPS: readonly Step[] = [
  withoutMarkup,
  plainCharacters,
  foldConfusables,
  readPicturedLetters,
  joinSpacedLetters,
  joinBrokenWords,
  readLeetspeakTexts,
  revealDisguisedWords,
  shortenStretchedWords,
  partSymbols,
  spellOutAbbreviations,
];

/** For measuring what a step does: threads leave out the one whose name is the environment data (node:worker_threads) of this key. */
export const LEFT_OUT = 'parapet: step left out';
const taken = STEPS.filter(({ name }) => name !== getEnvironmentData(LEFT_OUT));

// One disguise can hide another ("f . ս . ¢ . к"): passes repeat until nothing changes. Real texts settle after two; the
// bound keeps the time linear whatever the text.
const MAX_PASSES = 5;

/**
 * The text with disguises undone: HTML, invisible and combining characters removed, styled and look-alike letters folded to Latin,
 * leetspeak, masks, spaced-out and stretched letters read, symbols parted from words, abbreviated death wishes written out. Ordinary text
 * of any language comes back unchanged.
 *
 * Pure, never throws (any sequence of UTF-16 units will do), takes time linear in the length of the text.
 */
export function normalise(text: string, steps = taken): string {
  return undisguise(new PlacedText(text), steps).text;
}

/** As `normalise`, with its places. */
export function undisguise(sent: PlacedText, steps = taken): PlacedText {
  let copy = sent;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = steps.reduce((text, step) => step(text), copy);
    if (next.text === copy.text) break;
    copy = next;
  }
  return copy;
}
