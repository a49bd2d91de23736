/**
 * Terms in a text that was undisguised: searched for in what it was made into and in the text as sent. How a word is undisguised depends on
 * what stands around it, and a term that is written as it is in the list is found in any case.
 */
import { withoutMarkup } from '../disguises/markup.js';
import type { PlacedText } from '../placed-text.js';
import { FoundTerms, type TermMatch } from './found-terms.js';
import type { CompiledTerms } from './term-matcher.js';

export interface TermsInText {
  /** By offsets into the text as sent: in order, none overlapping another. */
  readonly blocked: readonly TermMatch[];
  /** The same by offsets into the normalised text. */
  readonly ignored: readonly TermMatch[];
}

export function termsInText(sent: PlacedText, normalised: PlacedText, terms: CompiledTerms): TermsInText {
  const found = terms.find(normalised.text);
  if (sent === normalised) return { blocked: found.blocked(), ignored: found.ignored() };
  const written = withoutMarkup(sent).normalize('NFC');
  const foundAsWritten = terms.find(written.text);
  if (found.isEmpty && foundAsWritten.isEmpty) return { blocked: [], ignored: [] };
  const inSent = new FoundTerms();
  inSent.addAll(placed(found, normalised));
  const ignoredInNormalised = inSent.ignored();
  inSent.addAll(placed(foundAsWritten, written));
  const ignored = inSent
    .ignored()
    .filter((match) => !ignoredInNormalised.some((other) => other.start < match.end && match.start < other.end));
  if (ignored.length > 0) {
    const starts = offsetsIn(normalised, 'start', sent.text.length);
    const ends = offsetsIn(normalised, 'end', sent.text.length);
    for (const match of ignored) {
      const start = starts[match.start] ?? 0;
      const end = ends[match.end] ?? 0;
      if (start < end) found.add({ ...match, start, end });
    }
  }
  return { blocked: inSent.blocked(), ignored: found.ignored() };
}

function* placed(matches: Iterable<TermMatch>, text: PlacedText): Generator<TermMatch> {
  for (const match of matches) {
    yield { ...match, start: text.placeOf(match.start, 'start'), end: text.placeOf(match.end, 'end') };
  }
}

const NONE = -1;

/**
 * For each offset into the text as sent that of a text made of it, where what stands there, or next, begins or ends: of several that of the
 * longest passage, since what was rewritten as one has one place.
 */
function offsetsIn(made: PlacedText, side: 'start' | 'end', length: number): Int32Array {
  const offsets = new Int32Array(length + 1).fill(NONE);
  const last = made.text.length;
  for (let count = 0; count <= last; count += 1) {
    const offset = side === 'start' ? last - count : count;
    offsets[made.placeOf(offset, side)] = offset;
  }
  let next = last;
  for (let place = length; place >= 0; place -= 1) {
    if (offsets[place] === NONE) offsets[place] = next;
    else next = offsets[place] ?? next;
  }
  return offsets;
}
