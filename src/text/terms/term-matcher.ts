/**
 * Finds an operator's terms in a text. Knows neither verdicts nor the network.
 *
 * A term is found as whole words, whatever their case and accents. White space and punctuation between its words may be any other but
 * the end of a sentence or paragraph, also none where a script has no spaces: there a term is found anywhere. Symbols and emoji are words
 * of their own. A word may have a `*` at its beginning, its end or both, or one within, for any letters and digits, or none, of the same
 * word. An ignored term protects what it covers: a blocked one within it, or as long as it, is not found.
 *
 * Found in spite of signs for letters (w1dg€to), one masked letter (w*dgeto), signs or spaces between all letters (w i d g e t o), signs
 * between some (wi-dgeto), stretched letters and letters of two scripts. Not found: with spaces between some letters only (wid geto), with
 * two masked letters, a `*` at once with one of these but signs for letters, misspelt, inflected without a `*`, or in another script.
 */
import { termTablesAt, type TermsPlace } from './compiled-terms.js';
import { leetReadings } from './disguised-readings.js';
import { foldText } from './folded-text.js';
import { FoundTerms } from './found-terms.js';
import { createWordWalk } from './word-walk.js';

export interface CompiledTerms {
  /** Where terms stand in a text, by its own offsets. Takes time linear in its length. */
  find(text: string): FoundTerms;
}

/** Costs some microseconds, whatever the number of terms: what a thread needs is made anew for each text. */
export function termsAt(place: TermsPlace): CompiledTerms {
  const tables = termTablesAt(place);
  const walk = createWordWalk(tables);
  return {
    find(text) {
      const found = new FoundTerms();
      if (tables.terms.isEmpty) return found;
      walk(foldText(text), found);
      for (const reading of leetReadings(text)) walk(foldText(reading), found);
      return found;
    },
  };
}
