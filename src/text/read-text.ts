/** How the network reads a text: normalised, segment by segment. The one order of these steps, in service and training. */
import { alignedOffsets, type OffsetOf } from './aligned-offsets.js';
import { withoutMarkup } from './markup.js';
import { normalise } from './normalise.js';
import { segmentsOf } from './segments.js';
import { FoundTerms, type TermMatch } from './terms/found-terms.js';
import { neutralise } from './terms/neutralise.js';
import type { Terms } from './terms/term-matcher.js';

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
  const found = terms.find(normalised);
  const neutral = neutralise(normalised, found.ignored());
  const segments = readSegments(text, neutral.text, () => {
    const sent = offsetOf();
    return (offset, side) => sent(neutral.offsetOf(offset, side), side);
  });
  return { normalised, segments, blocked: blockedIn(text, normalised, terms, found, offsetOf) };
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

/**
 * Searched for in the text as it was undisguised and as it was sent: how a word is undisguised may depend on what stands around it, and
 * a term that is written as it is in the list is found in any case.
 */
function blockedIn(
  text: string,
  normalised: string,
  terms: Terms,
  found: FoundTerms,
  offsetOf: () => OffsetOf,
): TermMatch[] {
  if (text === normalised) return found.blocked();
  const written = withoutMarkup(text).normalize('NFC');
  const foundAsWritten = terms.find(written);
  if (found.isEmpty && foundAsWritten.isEmpty) return [];
  const all = new FoundTerms();
  if (!found.isEmpty) all.addAll(moved(found, offsetOf()));
  if (!foundAsWritten.isEmpty) all.addAll(moved(foundAsWritten, alignedOffsets(text, written)));
  return all.blocked();
}

function* moved(matches: Iterable<TermMatch>, offsetOf: OffsetOf): Generator<TermMatch> {
  for (const match of matches)
    yield { ...match, start: offsetOf(match.start, 'start'), end: offsetOf(match.end, 'end') };
}

function lazily(text: string, changed: string): () => OffsetOf {
  let offsetOf: OffsetOf | undefined;
  return () => (offsetOf ??= alignedOffsets(text, changed));
}
