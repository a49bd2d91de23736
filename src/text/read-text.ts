/** How the network reads a text: normalised, segment by segment. The one order of these steps, in service and training. */
import { alignedOffsets } from './aligned-offsets.js';
import { normalise } from './normalise.js';
import { segmentsOf } from './segments.js';

/** A segment as the network reads it, and where it stands in the text as sent. */
export interface ReadSegment {
  /** Normalised. */
  readonly text: string;
  /** UTF-16 offsets into the text as sent. */
  readonly start: number;
  readonly end: number;
}

export interface Reading {
  readonly normalised: string;
  /** In text order, at least one: of a text without content, an empty one. */
  readonly segments: readonly ReadSegment[];
}

export function readText(text: string): Reading {
  const normalised = normalise(text);
  const segments = segmentsOf(normalised);
  if (segments.length === 0) return { normalised, segments: [{ text: '', start: 0, end: text.length }] };
  const offsetOf = alignedOffsets(text, normalised);
  return {
    normalised,
    segments: segments.map(({ start, end }) => ({
      text: normalised.slice(start, end),
      start: offsetOf(start, 'start'),
      end: offsetOf(end, 'end'),
    })),
  };
}
