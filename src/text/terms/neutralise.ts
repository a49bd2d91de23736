/** Puts neutral words in the places of terms that never count. Knows where the terms stand from others. */
import type { OffsetOf } from '../aligned-offsets.js';
import type { TermMatch } from './found-terms.js';
import { neutralWordFor } from './neutral-words.js';

export interface NeutralText {
  readonly text: string;
  /** From offsets into this text to those of the text that it was made of; within a neutral word to the borders of the term. */
  readonly offsetOf: OffsetOf;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly matchStart: number;
  readonly matchEnd: number;
}

/** @param matches in order, none overlapping another */
export function neutralise(text: string, matches: readonly TermMatch[]): NeutralText {
  if (matches.length === 0) return { text, offsetOf: (offset) => offset };
  const replacements: Replacement[] = [];
  let neutral = '';
  let reached = 0;
  for (const { start, end } of matches) {
    neutral += text.slice(reached, start);
    const begun = neutral.length;
    neutral += neutralWordFor(text.slice(start, end));
    replacements.push({ start: begun, end: neutral.length, matchStart: start, matchEnd: end });
    reached = end;
  }
  return {
    text: neutral + text.slice(reached),
    offsetOf: (offset, side) => originalOffset(replacements, offset, side),
  };
}

function originalOffset(replacements: readonly Replacement[], offset: number, side: 'start' | 'end'): number {
  let low = 0;
  let high = replacements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replacements[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const last = replacements[low - 1];
  if (last === undefined) return offset;
  if (offset >= last.end) return offset - last.end + last.matchEnd;
  if (offset === last.start) return last.matchStart;
  return side === 'start' ? last.matchStart : last.matchEnd;
}
