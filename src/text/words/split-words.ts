/** Finds the words that letters without spaces are made of. */
import { CODES, frequent, languages, masked, ranks } from './vocabulary.js';

export interface Split {
  readonly words: readonly string[];
  /** Mean negative log-probability of a letter, about: 2 to 3 for words of a language, 5 for letters of none. */
  readonly cost: number;
}

const MASKED_COST = 7;
/** Of a word that is not listed. */
const UNKNOWN_WORD_COST = 8;
const UNKNOWN_LETTER_COST = 4;
const FIRST_COST = 2.5;
const FLATTENING = 12;

/** The words of one language that letters without spaces are likeliest made of (Viterbi). Takes time linear in their number. */
export function splitIntoWords(letters: string): Split {
  const lower = letters.toLowerCase();
  // Where a letter is another number of units in lower case, places differ.
  const text = lower.length === letters.length ? lower : letters;
  const count = CODES.length;
  const best = new Float64Array((text.length + 1) * count).fill(Infinity).fill(0, 0, count);
  const unknown = new Float64Array((text.length + 1) * count).fill(Infinity);
  const lengths = new Uint8Array((text.length + 1) * count);
  const unknownLengths = new Uint16Array((text.length + 1) * count);
  const reach = (start: number, length: number, language: number, cost: number): void => {
    const from = start * count + language;
    const to = from + length * count;
    const total = (best[from] ?? 0) + cost;
    if (total < (best[to] ?? 0)) {
      best[to] = total;
      lengths[to] = length;
    }
  };
  for (let start = 0; start < text.length; start += 1) {
    // What is not listed may end here.
    for (let language = 0; language < count; language += 1) {
      const at = start * count + language;
      if ((unknown[at] ?? 0) < (best[at] ?? 0)) {
        best[at] = unknown[at] ?? 0;
        lengths[at] = 0;
      }
      const begun = (best[at] ?? 0) + UNKNOWN_WORD_COST + UNKNOWN_LETTER_COST;
      const goneOn = (unknown[at] ?? 0) + UNKNOWN_LETTER_COST;
      unknown[at + count] = Math.min(begun, goneOn);
      unknownLengths[at + count] = begun < goneOn ? 1 : (unknownLengths[at] ?? 0) + 1;
    }
    frequent.wordsAt(text, start, (length, index) => {
      const cost = FIRST_COST + Math.log((ranks[index] ?? 0) + FLATTENING);
      const spoken = languages[index] ?? 0;
      for (let language = 0; language < count; language += 1) {
        if ((spoken & (1 << language)) !== 0) reach(start, length, language, cost);
      }
    });
    masked.wordsAt(text, start, (length) => {
      for (let language = 0; language < count; language += 1) reach(start, length, language, MASKED_COST);
    });
  }
  const end = text.length * count;
  const total = (language: number): number => Math.min(best[end + language] ?? 0, unknown[end + language] ?? 0);
  let chosen = 0;
  for (let language = 1; language < count; language += 1) if (total(language) < total(chosen)) chosen = language;
  const cost = total(chosen) / text.length;
  if ((unknown[end + chosen] ?? 0) < (best[end + chosen] ?? 0)) lengths[end + chosen] = 0;
  const split: string[] = [];
  for (let at = text.length; at > 0;) {
    const place = at * count + chosen;
    const listed = lengths[place] ?? 0;
    const length = listed > 0 ? listed : Math.max(1, unknownLengths[place] ?? 1);
    split.unshift(letters.slice(at - length, at));
    at -= length;
  }
  return { words: split, cost };
}
