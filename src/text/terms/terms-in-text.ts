/**
 * Terms in a text that was undisguised: searched for in what it was made into and in the text as sent. How a word is undisguised depends on
 * what stands around it, and a term that is written as it is in the list is found in any case.
 */
import { alignedOffsets, type OffsetOf } from '../aligned-offsets.js';
import { withoutMarkup } from '../markup.js';
import { FoundTerms, type TermMatch } from './found-terms.js';
import type { Terms } from './term-matcher.js';

export interface TermsInText {
  /** By offsets into the text as sent: in order, none overlapping another. */
  readonly blocked: readonly TermMatch[];
  /** The same by offsets into the normalised text. */
  readonly ignored: readonly TermMatch[];
}

/** @param offsetOf from the normalised text to the text as sent, asked for only where a term was found */
export function termsInText(text: string, normalised: string, terms: Terms, offsetOf: () => OffsetOf): TermsInText {
  const found = terms.find(normalised);
  if (text === normalised) return { blocked: found.blocked(), ignored: found.ignored() };
  const written = withoutMarkup(text).normalize('NFC');
  const foundAsWritten = terms.find(written);
  if (found.isEmpty && foundAsWritten.isEmpty) return { blocked: [], ignored: [] };
  const sent = new FoundTerms();
  sent.addAll(moved(found, offsetOf()));
  const ignoredInNormalised = sent.ignored();
  if (!foundAsWritten.isEmpty) sent.addAll(moved(foundAsWritten, alignedOffsets(text, written)));
  for (const match of sent.ignored()) {
    if (ignoredInNormalised.some((other) => other.start < match.end && match.start < other.end)) continue;
    const start = firstAt(match.start, normalised.length, (offset) => offsetOf()(offset, 'start'));
    const end = firstAt(match.end, normalised.length, (offset) => offsetOf()(offset, 'end'));
    if (start < end) found.add({ ...match, start, end });
  }
  return { blocked: sent.blocked(), ignored: found.ignored() };
}

function* moved(matches: Iterable<TermMatch>, offsetOf: OffsetOf): Generator<TermMatch> {
  for (const match of matches)
    yield { ...match, start: offsetOf(match.start, 'start'), end: offsetOf(match.end, 'end') };
}

/** The first offset that does not stand before a place. */
function firstAt(place: number, most: number, placeOf: (offset: number) => number): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeOf(middle) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
