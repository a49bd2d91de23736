/** A text cut into the words that terms are compared with, each with its place. Knows no terms. */
import { foldedCharacter } from './folded-characters.js';
import { SENTENCE_MARKS, UNSPACED_SENTENCE_MARKS } from '../words/characters.js';

/** What stands before a word. */
export const GAP = {
  none: 0,
  /** One character that people put between the letters of a word: wid-geto. */
  joiner: 1,
  /** One character in place of a letter: w*dgeto. */
  mask: 2,
  other: 3,
  /** The end of a sentence or paragraph: no term goes on behind it. */
  sentenceEnd: 4,
} as const;

/** Where a word has letters that may be read in another way. */
export const TRAIT = { alone: 1, symbol: 2, latin: 4, cyrillic: 8, stretched: 16 } as const;

/** Of word number n: `units` from `unitStarts[n]` to `unitEnds[n]`, and the text from `starts[n]` to `ends[n]`, in UTF-16 units. */
export interface FoldedText {
  readonly units: readonly number[];
  readonly unitStarts: readonly number[];
  readonly unitEnds: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly gaps: readonly number[];
  /** Bits of TRAIT. */
  readonly traits: readonly number[];
}

export const STAR = 0x2a;
const JOINERS = new Set(Array.from('.-_~^=•·', unitOf));
const ENDS_BEFORE_SPACE = new Set(Array.from(SENTENCE_MARKS, unitOf));
const ENDS_ANYWHERE = new Set(Array.from(UNSPACED_SENTENCE_MARKS, unitOf));
const LINE_FEED = 0x0a;
/** As often in a row as no word has a letter. */
const STRETCHED = 3;

/**
 * Takes time linear in the length of the text.
 *
 * @param hasWildcards whether a `*` is part of the word that it stands in, as in terms
 */
export function foldText(text: string, hasWildcards = false): FoldedText {
  const folded = {
    units: [] as number[],
    unitStarts: [] as number[],
    unitEnds: [] as number[],
    starts: [] as number[],
    ends: [] as number[],
    gaps: [] as number[],
    traits: [] as number[],
  };
  const { units } = folded;
  let gap = new GapReader();
  let isInWord = false;
  let last = -1;
  for (let index = 0; index < text.length;) {
    const codePoint = text.codePointAt(index) ?? 0;
    const end = index + (codePoint > 0xffff ? 2 : 1);
    const isWildcard = hasWildcards && codePoint === STAR;
    const { kind, units: letters } = isWildcard ? WILDCARD : foldedCharacter(codePoint);
    if (kind === 'gap') {
      gap.read(codePoint);
      isInWord = false;
    } else if (kind !== 'unseen') {
      const goesOn = kind === 'mark' ? gap.isEmpty && last >= 0 : kind === 'word' && isInWord;
      if (!goesOn) {
        last += 1;
        folded.unitStarts.push(units.length);
        folded.starts.push(index);
        folded.gaps.push(gap.kind);
        folded.traits.push(kind === 'alone' ? TRAIT.alone : kind === 'symbol' ? TRAIT.symbol : 0);
        if (!gap.isEmpty) gap = new GapReader();
        isInWord = kind === 'word' || kind === 'mark';
      }
      for (let at = 0; at < letters.length; at += 1) units.push(letters.charCodeAt(at));
      folded.unitEnds[last] = units.length;
      folded.ends[last] = end;
      folded.traits[last] = (folded.traits[last] ?? 0) | traitsOfLast(units, folded.unitStarts[last] ?? 0);
    } else if (gap.isEmpty && last >= 0) {
      // Selectors and skin tones belong to what they change.
      folded.ends[last] = end;
    }
    index = end;
  }
  return folded;
}

const WILDCARD = { kind: 'word', units: '*' } as const;

function traitsOfLast(units: readonly number[], from: number): number {
  const at = units.length - 1;
  const unit = units[at] ?? 0;
  let traits = 0;
  if (unit >= 0x61 && unit <= 0x7a) traits = TRAIT.latin;
  else if (unit >= 0x400 && unit <= 0x52f) traits = TRAIT.cyrillic;
  if (at - from >= STRETCHED - 1 && units[at - 1] === unit && units[at - 2] === unit) traits |= TRAIT.stretched;
  return traits;
}

/** Takes the characters between two words. */
class GapReader {
  isEmpty = true;
  #kind: number = GAP.none;
  #last = 0;
  #lineFeeds = 0;

  get kind(): number {
    return this.#kind;
  }

  read(codePoint: number): void {
    if (this.isEmpty) {
      this.#kind = codePoint === STAR ? GAP.mask : JOINERS.has(codePoint) ? GAP.joiner : GAP.other;
    } else if (this.#kind !== GAP.sentenceEnd) this.#kind = GAP.other;
    if (codePoint === LINE_FEED) this.#lineFeeds += 1;
    const endsSentence =
      ENDS_ANYWHERE.has(codePoint) ||
      this.#lineFeeds > 1 ||
      (ENDS_BEFORE_SPACE.has(this.#last) && (codePoint <= 0x20 || codePoint === 0xa0));
    if (endsSentence) this.#kind = GAP.sentenceEnd;
    this.isEmpty = false;
    this.#last = codePoint;
  }
}

function unitOf(character: string): number {
  return character.charCodeAt(0);
}
