/**
 * The words that terms are made of, with the places where a `*` stands for any letters: finds those that fit a word in time that depends on the
 * length of the word and not on how many there are.
 */
import { STAR } from './folded-text.js';
import { NONE, type SequenceNode, type SortedSequences } from './sorted-sequences.js';

/** In units. A longer word is no term's: those have so many at most, with every letter folded to several. */
export const MOST_WORD_UNITS = 400;

/** A word as it is looked up. */
export interface WordPattern {
  /**
   * A word without a `*` as it is, `start*end` with the end backwards, of which either part may be empty, and `*part*` as `**part`: so what fits is
   * found by going through a word once from its beginning and from there once from its end.
   */
  readonly pattern: string;
  readonly isWild: boolean;
}

/** @returns undefined of one that has a `*` anywhere else */
export function wordPatternOf(units: readonly number[]): WordPattern | undefined {
  const stars = units.reduce((count, unit) => count + (unit === STAR ? 1 : 0), 0);
  if (stars === 0) return { pattern: textOf(units), isWild: false };
  if (units.length === stars) return undefined;
  const star = units.indexOf(STAR);
  if (stars === 1) {
    return { pattern: `${textOf(units.slice(0, star))}*${textOf(units.slice(star + 1).reverse())}`, isWild: true };
  }
  const isPart = stars === 2 && star === 0 && units.at(-1) === STAR;
  return isPart ? { pattern: `**${textOf(units.slice(1, -1))}`, isWild: true } : undefined;
}

function textOf(units: readonly number[]): string {
  return String.fromCharCode(...units);
}

/** The number of the pattern without a `*` that equals the word, or NONE. */
export function wholeWord(patterns: SortedSequences, units: readonly number[], from: number, to: number): number {
  let node: SequenceNode | undefined = patterns.root;
  for (let at = from; at < to && node !== undefined; at += 1) node = patterns.next(node, units[at] ?? NONE);
  return node === undefined ? NONE : patterns.endingAt(node);
}

/** Tells the numbers of the patterns with a `*` that fit the word, some of them twice. */
export function eachWild(
  patterns: SortedSequences,
  units: readonly number[],
  from: number,
  to: number,
  fits: (pattern: number) => void,
): void {
  const tell = (node: SequenceNode): void => {
    const pattern = patterns.endingAt(node);
    if (pattern !== NONE) fits(pattern);
  };
  let begun: SequenceNode | undefined = patterns.root;
  for (let at = from; begun !== undefined; at += 1) {
    let ended = patterns.next(begun, STAR);
    if (ended !== undefined) tell(ended);
    for (let last = to - 1; ended !== undefined && last >= at; last -= 1) {
      ended = patterns.next(ended, units[last] ?? NONE);
      if (ended !== undefined) tell(ended);
    }
    begun = at < to ? patterns.next(begun, units[at] ?? NONE) : undefined;
  }
  const stars = patterns.next(patterns.root, STAR);
  const parts = stars && patterns.next(stars, STAR);
  if (parts === undefined) return;
  for (let first = from; first < to; first += 1) {
    let part: SequenceNode | undefined = parts;
    for (let at = first; part !== undefined && at < to; at += 1) {
      part = patterns.next(part, units[at] ?? NONE);
      if (part !== undefined) tell(part);
    }
  }
}
