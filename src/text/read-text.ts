/** How the network reads a text: normalised, segment by segment. The one order of these steps, in service and training. */
import { alignedOffsets, type OffsetOf } from './aligned-offsets.js';
import { normalise } from './normalise.js';
import { segmentsOf } from './segments.js';
import type { TermMatch } from './terms/found-terms.js';
import { neutralise } from './terms/neutralise.js';
import type { Terms } from './terms/term-matcher.js';
import { termsInText } from './terms/terms-in-text.js';

/** A segment as the network reads it, and where it stands in the text as sent. */
export interface ReadSegment {
  /** Normalised, with neutral words for terms that never count. */
  readonly text: string;
  /** UTF-16 offsets into the text as sent. */
  readonly start: number;
  readonly end: number;
}

export interface Reading {
  /** As it was undisguised, with all terms: what is asked of its letters is asked of what somebody wrote. */
  readonly normalised: string;
  /** In text order, at least one: of a text without content, an empty one. */
  readonly segments: readonly ReadSegment[];
  /** Where terms that always fail stand in the text as sent: in order, none overlapping another. Absent where no terms were given. */
  readonly blocked?: readonly TermMatch[];
}

export function readText(text: string, terms?: Terms): Reading {
  const normalised = normalise(text);
  const offsetOf = lazily(text, normalised);
  if (terms === undefined) return { normalised, segments: readSegments(text, normalised, offsetOf) };
  const { blocked, ignored } = termsInText(text, normalised, terms, offsetOf);
  const neutral = neutralise(normalised, ignored);
  const segments = readSegments(text, neutral.text, () => {
    const toSent = offsetOf();
    return (offset, side) => toSent(neutral.offsetOf(offset, side), side);
  });
  return { normalised, segments, blocked };
}

/** @param offsetOf asked for only where there is something to point at */
function readSegments(text: string, read: string, offsetOf: () => OffsetOf): readonly ReadSegment[] {
  const segments = segmentsOf(read);
  if (segments.length === 0) return [{ text: '', start: 0, end: text.length }];
  const toSent = offsetOf();
  return segments.map(({ start, end }) => ({
    text: read.slice(start, end),
    start: toSent(start, 'start'),
    end: toSent(end, 'end'),
  }));
}

function lazily(text: string, changed: string): () => OffsetOf {
  let offsetOf: OffsetOf | undefined;
  return () => (offsetOf ??= alignedOffsets(text, changed));
}
