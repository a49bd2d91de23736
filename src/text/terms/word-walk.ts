/** Goes through the words of a text and along the terms at once, each word once: what may end, go on and begin with it. */
import { maskedLetters, singleScriptReadings, unstretchedReadings } from './disguised-readings.js';
import { GAP, TRAIT, type FoldedText } from './folded-text.js';
import type { FoundTerms } from './found-terms.js';
import type { TermTrie } from './term-trie.js';
import { hashed, MOST_WORD_UNITS, type HashedUnits } from './word-hashes.js';
import { NONE, type WordPatterns } from './word-patterns.js';

export type WordWalk = (text: FoldedText, found: FoundTerms) => void;

/** So many letters one by one are a word that somebody spaced out; of more, a part that spells so many and one more. */
const SHORTEST_SPACED = 3;
/** A word of fewer letters, one of them masked, may be too many others. */
const SHORTEST_MASKED = 4;
/**
 * So many different beginnings of terms are followed at one word of a text. Without a `*` there is one for each length, so that only lists
 * made to take long have more.
 */
const MOST_BEGUN = 128;

export function createWordWalk(patterns: WordPatterns, trie: TermTrie): WordWalk {
  function report(text: FoldedText, node: number, first: number, last: number, found: FoundTerms): void {
    const start = text.starts[first] ?? 0;
    const end = text.ends[last] ?? 0;
    const blocked = trie.blocked(node);
    if (blocked !== NONE) found.add({ kind: 'blocked', term: blocked, start, end });
    const ignored = trie.ignored(node);
    if (ignored !== NONE) found.add({ kind: 'ignored', term: ignored, start, end });
  }

  /** What a word may be, as patterns without and with a `*`. */
  function read(word: HashedUnits, from: number, to: number, whole: number[], wild: Set<number>): void {
    if (to - from > MOST_WORD_UNITS) return;
    const pattern = patterns.whole(word, from, to);
    if (pattern !== NONE) whole.push(pattern);
    if (patterns.hasWild) patterns.eachWild(word, from, to, (fits) => wild.add(fits));
  }

  function readWord(text: FoldedText, hashes: HashedUnits, index: number, whole: number[], wild: Set<number>): void {
    const from = text.unitStarts[index] ?? 0;
    const to = text.unitEnds[index] ?? 0;
    read(hashes, from, to, whole, wild);
    const traits = text.traits[index] ?? 0;
    if (traits <= TRAIT.latin || traits === TRAIT.cyrillic || to - from > MOST_WORD_UNITS) return;
    const units = text.units.slice(from, to);
    const isMixed = (traits & TRAIT.latin) !== 0 && (traits & TRAIT.cyrillic) !== 0;
    const readings = [
      ...((traits & TRAIT.stretched) !== 0 ? unstretchedReadings(units) : []),
      ...(isMixed ? singleScriptReadings(units) : []),
    ];
    for (const reading of readings) read(hashed(reading), 0, reading.length, whole, wild);
  }

  /** Terms of any number of words, one after another. */
  function walkWords(text: FoldedText, hashes: HashedUnits, found: FoundTerms): void {
    let active: number[] = [];
    const whole: number[] = [];
    const wild = new Set<number>();
    for (let index = 0; index < text.starts.length; index += 1) {
      whole.length = 0;
      wild.clear();
      readWord(text, hashes, index, whole, wild);
      if (whole.length === 0 && wild.size === 0) {
        if (active.length > 0) active = [];
        continue;
      }
      const reached = new Set<number>();
      for (const pattern of [...whole, ...wild]) {
        const node = trie.next(0, pattern);
        if (node !== NONE) reached.add(node);
      }
      const isAfterSentenceEnd = text.gaps[index] === GAP.sentenceEnd;
      for (const node of active) {
        for (const child of childrenOf(node, whole, wild)) {
          if (!isAfterSentenceEnd || trie.isAfterSentenceEnd(child)) reached.add(child);
        }
      }
      active = [];
      let blocked = NONE;
      let ignored = NONE;
      for (const node of reached) {
        blocked = longerOf(blocked, node, trie.blocked);
        ignored = longerOf(ignored, node, trie.ignored);
        if (!trie.isLast(node) && active.length < MOST_BEGUN) active.push(node);
      }
      for (const node of new Set([blocked, ignored])) {
        if (node !== NONE) report(text, node, index - trie.depth(node) + 1, index, found);
      }
    }
  }

  /** Of two nodes the one at which a longer term ends, or one that comes earlier in its list. */
  function longerOf(node: number, other: number, termOf: (node: number) => number): number {
    if (termOf(other) === NONE) return node;
    if (node === NONE) return other;
    const more = trie.depth(other) - trie.depth(node);
    return more > 0 || (more === 0 && termOf(other) < termOf(node)) ? other : node;
  }

  /** Where terms go on with a word that may be any of the patterns. */
  function childrenOf(node: number, whole: readonly number[], wild: ReadonlySet<number>): number[] {
    const children = whole.map((pattern) => trie.next(node, pattern));
    const candidates = trie.wildChildren(node);
    if (candidates.length > wild.size) for (const pattern of wild) children.push(trie.next(node, pattern));
    else for (const child of candidates) if (wild.has(trie.patternOf(child))) children.push(child);
    return children.filter((child) => child !== NONE);
  }

  function reportWord(text: FoldedText, pattern: number, first: number, last: number, found: FoundTerms): void {
    const node = pattern === NONE ? NONE : trie.next(0, pattern);
    if (node !== NONE) report(text, node, first, last, found);
  }

  /** Terms of one word with gaps between all of its letters. */
  function walkSpacedLetters(text: FoldedText, hashes: HashedUnits, found: FoundTerms): void {
    for (let first = 0; first < text.starts.length; first += 1) {
      if (!isLetter(text, first)) continue;
      let end = first + 1;
      while (end < text.starts.length && isLetter(text, end)) end += 1;
      for (let begin = first; begin + SHORTEST_SPACED <= end; begin += 1) {
        const from = text.unitStarts[begin] ?? 0;
        for (const length of patterns.wholeLengths) {
          if (begin + length > end) break;
          const isAll = begin === first && begin + length === end;
          if (length < SHORTEST_SPACED || (length === SHORTEST_SPACED && !isAll)) continue;
          reportWord(text, patterns.whole(hashes, from, from + length), begin, begin + length - 1, found);
        }
      }
      first = end;
    }
  }

  /** Terms of one word with a sign between some of its letters, or in place of one. */
  function walkCutWords(text: FoldedText, found: FoundTerms): void {
    for (let first = 0; first < text.starts.length; first += 1) {
      let last = first;
      let masks = 0;
      while (isWord(text, last) && isWord(text, last + 1) && isWithinToken(text.gaps[last + 1])) {
        last += 1;
        if (text.gaps[last] === GAP.mask) masks += 1;
      }
      if (last === first) continue;
      const from = text.unitStarts[first] ?? 0;
      const to = text.unitEnds[last] ?? 0;
      if (to - from < MOST_WORD_UNITS) {
        const units = text.units.slice(from, to);
        if (units.length >= SHORTEST_MASKED) reportWord(text, patterns.wholeOf(units), first, last, found);
        if (masks === 1 && units.length + 1 >= SHORTEST_MASKED) {
          const mask = text.gaps.indexOf(GAP.mask, first + 1);
          const at = (text.unitStarts[mask] ?? 0) - from;
          for (const letter of maskedLetters(units[at - 1] ?? 0)) {
            const guess = [...units.slice(0, at), letter, ...units.slice(at)];
            reportWord(text, patterns.wholeOf(guess), first, last, found);
          }
        }
      }
      first = last;
    }
  }

  return (text, found) => {
    const hashes = hashed(text.units);
    walkWords(text, hashes, found);
    if (patterns.wholeLengths.length === 0) return;
    walkSpacedLetters(text, hashes, found);
    walkCutWords(text, found);
  };
}

function isWord(text: FoldedText, index: number): boolean {
  const traits = text.traits[index];
  return traits !== undefined && (traits & (TRAIT.alone | TRAIT.symbol)) === 0;
}

function isLetter(text: FoldedText, index: number): boolean {
  return isWord(text, index) && (text.unitEnds[index] ?? 0) - (text.unitStarts[index] ?? 0) === 1;
}

function isWithinToken(gap: number | undefined): boolean {
  return gap === GAP.joiner || gap === GAP.mask;
}
