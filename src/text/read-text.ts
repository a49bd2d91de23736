/** How the network reads a text: normalised, segment by segment. The one order of these steps, in service and training. */
import { undisguise } from './normalise.js';
import { PlacedText } from './placed-text.js';
import { inSeveralScripts } from './scripts.js';
import { segmentsOf } from './segments.js';
import type { TermMatch } from './terms/found-terms.js';
import { neutralise } from './terms/neutralise.js';
import type { CompiledTerms } from './terms/term-matcher.js';
import { termsInText } from './terms/terms-in-text.js';

/** A segment as the network reads it, and where it stands in the text as sent. */
export interface ReadSegment {
  /** Normalised, with neutral words for terms that never count. */
  readonly text: string;
  /** UTF-16 offsets into the text as sent. */
  readonly start: number;
  readonly end: number;
}

export interface ReadText {
  /** As it was undisguised, with all terms: what is asked of its letters is asked of what somebody wrote. */
  readonly normalised: string;
  /** At least one: of a text without content, an empty one. In text order, but what stands within tags comes last. */
  readonly segments: readonly ReadSegment[];
  /** The network knows little of texts that change their script: what one part says is not to hide another. Their segments are read alone. */
  readonly inSeveralScripts: boolean;
  /** Where terms that always fail stand in the text as sent: in order, none overlapping another. Absent where no terms were given. */
  readonly blocked?: readonly TermMatch[];
}

export function readText(text: string, terms?: CompiledTerms): ReadText {
  const sent = new PlacedText(text);
  const normalised = undisguise(sent);
  if (terms === undefined) return { normalised: normalised.text, ...segmentsIn(text, normalised) };
  const { blocked, ignored } = termsInText(sent, normalised, terms);
  return { normalised: normalised.text, ...segmentsIn(text, neutralise(normalised, ignored)), blocked };
}

function segmentsIn(sent: string, read: PlacedText): Pick<ReadText, 'segments' | 'inSeveralScripts'> {
  const found = segmentsOf(read.text);
  if (found.length === 0) return { segments: [{ text: '', start: 0, end: sent.length }], inSeveralScripts: false };
  const segments = found.map(({ start, end }) => ({
    text: read.text.slice(start, end),
    start: read.placeOf(start, 'start'),
    end: read.placeOf(end, 'end'),
  }));
  return { segments, inSeveralScripts: inSeveralScripts(read.text, found) };
}
