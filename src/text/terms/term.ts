/** A term as its operator writes it: the words that it is compared by, or why it can never be found. */
import { normalise } from '../normalise.js';
import { foldText, GAP, STAR, TRAIT } from './folded-text.js';
import { wordPatternOf, type WordPattern } from './word-patterns.js';

/** In code points. */
export const LONGEST_TERM = 100;

export interface TermWord extends WordPattern {
  /** Whether the term itself ends a sentence before the word, as "Dr. Who" does. */
  readonly isAfterSentenceEnd: boolean;
}

export interface ParsedTerm {
  /** As texts are read, and as it is written where that is another: at least one. */
  readonly forms: readonly (readonly TermWord[])[];
  /** The same for terms that are found in the same places. */
  readonly key: string;
}

export interface UnmatchableTerm {
  /** Completes "It …". */
  readonly problem: string;
}

export function parseTerm(term: string): ParsedTerm | UnmatchableTerm {
  if (!term.isWellFormed()) return { problem: 'has half of a character (an unpaired surrogate)' };
  if (Array.from(term).length > LONGEST_TERM) return { problem: `is longer than ${LONGEST_TERM} characters` };
  // Part by part: a * between letters would be read as a masked letter.
  const undisguised = term
    .split('*')
    .map((part) => normalise(part))
    .join('*');
  const read = wordsOf(undisguised);
  const written = wordsOf(term.normalize('NFC'));
  if ('problem' in read) return read;
  const key = keyOf(read);
  const forms = 'problem' in written || keyOf(written) === key ? [read] : [read, written];
  return { forms, key };
}

function wordsOf(term: string): readonly TermWord[] | UnmatchableTerm {
  const folded = foldText(term.trim(), true);
  const words: TermWord[] = [];
  for (const [index, start] of folded.unitStarts.entries()) {
    const units = withoutRepeatedStars(folded.units.slice(start, folded.unitEnds[index]));
    if (units.length === 1 && units[0] === STAR && isBesideALoneLetter(folded, index)) continue;
    const pattern = wordPatternOf(units);
    if (pattern === undefined) return { problem: problemOf(units) };
    words.push({ ...pattern, isAfterSentenceEnd: words.length > 0 && folded.gaps[index] === GAP.sentenceEnd });
  }
  return words.length === 0 ? { problem: 'has no letter, digit or symbol that a text is searched for' } : words;
}

function problemOf(units: readonly number[]): string {
  return units.every((unit) => unit === STAR)
    ? 'has a * that stands alone: a * stands for more letters of a word, so it must touch one'
    : 'has a word with too many *: one at its beginning, at its end or at both, or a single one within';
}

/** Where words have no spaces a term is found anywhere, with a * or without. */
function isBesideALoneLetter({ traits, gaps }: ReturnType<typeof foldText>, index: number): boolean {
  const isAlone = (at: number): boolean => ((traits[at] ?? 0) & TRAIT.alone) !== 0;
  const follows = gaps[index] === GAP.none && isAlone(index - 1);
  const precedes = gaps[index + 1] === GAP.none && isAlone(index + 1);
  const touchesAnother = index > 0 && gaps[index] === GAP.none && gaps[index + 1] === GAP.none;
  return (follows || precedes) && !touchesAnother;
}

function withoutRepeatedStars(units: readonly number[]): number[] {
  return units.filter((unit, index) => unit !== STAR || units[index - 1] !== STAR);
}

function keyOf(words: readonly TermWord[]): string {
  return words.map(({ pattern }) => pattern).join(' ');
}
