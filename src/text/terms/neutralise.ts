/** Puts neutral words in the places of terms that never count. Knows where the terms stand from others. */
import type { PlacedText, Rewriting } from '../placed-text.js';
import type { TermMatch } from './found-terms.js';
import { neutralWordFor } from './neutral-words.js';

/** @param matches by offsets into the text, in order, none overlapping another */
export function neutralise(placed: PlacedText, matches: readonly TermMatch[]): PlacedText {
  const { text } = placed;
  const pieces: [string, Rewriting][] = [];
  let reached = 0;
  for (const { start, end } of matches) {
    const before = text.slice(reached, start);
    const term = text.slice(start, end);
    pieces.push([before, before], [term, neutralWordFor(term)]);
    reached = end;
  }
  const rest = text.slice(reached);
  return placed.rewrite([...pieces, [rest, rest]]);
}
