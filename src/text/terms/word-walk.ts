/** Goes through the words of a text and along the terms at once, each word once: what may end, go on and begin with it. */
import type { TermTables } from './compiled-terms.js';
import { maskedLetters, singleScriptReadings, unstretchedReadings } from './disguised-readings.js';
import { GAP, TRAIT, type FoldedText } from './folded-text.js';
import type { FoundTerms } from './found-terms.js';
import { NONE, type SequenceNode } from './sorted-sequences.js';
import { eachWild, MOST_WORD_UNITS, wholeWord } from './word-patterns.js';

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

export function createWordWalk(tables: TermTables): WordWalk {
  const { words, terms } = tables;

  function report(text: FoldedText, node: SequenceNode, first: number, last: number, found: FoundTerms): void {
    const number = terms.endingAt(node);
    if (number === NONE) return;
    const start = text.starts[first] ?? 0;
    const end = text.ends[last] ?? 0;
    for (const kind of ['blocked', 'ignored'] as const) {
      const term = tables[kind][number] ?? NONE;
      if (term !== NONE) found.add({ kind, term, start, end });
    }
  }

  /** What a word may be, as symbols of words without and with a `*`. */
  function read(units: readonly number[], from: number, to: number, whole: Set<number>, wild: Set<number>): void {
    if (to - from > MOST_WORD_UNITS) return;
    const word = wholeWord(words, units, from, to);
    if (word !== NONE) whole.add(word);
    if (tables.hasWild) eachWild(words, units, from, to, (pattern) => wild.add(pattern + tables.wildFrom));
  }

  function readWord(text: FoldedText, index: number, whole: Set<number>, wild: Set<number>): void {
    const from = text.unitStarts[index] ?? 0;
    const to = text.unitEnds[index] ?? 0;
    read(text.units, from, to, whole, wild);
    const traits = text.traits[index] ?? 0;
    if (traits <= TRAIT.latin || traits === TRAIT.cyrillic || to - from > MOST_WORD_UNITS) return;
    const units = text.units.slice(from, to);
    const isMixed = (traits & TRAIT.latin) !== 0 && (traits & TRAIT.cyrillic) !== 0;
    const readings = [
      ...((traits & TRAIT.stretched) !== 0 ? unstretchedReadings(units) : []),
      ...(isMixed ? singleScriptReadings(units) : []),
    ];
    for (const reading of readings) read(reading, 0, reading.length, whole, wild);
  }

  /** Terms of any number of words, one after another. */
  function walkWords(text: FoldedText, found: FoundTerms): void {
    let begun: SequenceNode[] = [];
    const whole = new Set<number>();
    const wild = new Set<number>();
    for (let index = 0; index < text.starts.length; index += 1) {
      whole.clear();
      wild.clear();
      readWord(text, index, whole, wild);
      const isAfterSentenceEnd = text.gaps[index] === GAP.sentenceEnd;
      const reached = nextOf(terms.root, whole, wild);
      for (const node of begun) {
        for (const child of nextOf(node, whole, wild)) {
          if (!isAfterSentenceEnd || tables.afterSentenceEnd[terms.placeOf(child)] === 1) reached.push(child);
        }
      }
      for (const node of reached) report(text, node, index - node.depth + 1, index, found);
      begun = reached.filter((node) => !terms.isLast(node)).slice(0, MOST_BEGUN);
    }
  }

  /** Where terms go on with a word that may be any of the symbols. */
  function nextOf(node: SequenceNode, whole: ReadonlySet<number>, wild: ReadonlySet<number>): SequenceNode[] {
    const found: SequenceNode[] = [];
    for (const word of whole) {
      const child = terms.next(node, word);
      if (child !== undefined) found.push(child);
    }
    return [...found, ...terms.nextOf(node, wild, tables.wildFrom)];
  }

  /** A term of one word. */
  function reportWord(text: FoldedText, word: number, first: number, last: number, found: FoundTerms): void {
    const node = word === NONE ? undefined : terms.next(terms.root, word);
    if (node !== undefined) report(text, node, first, last, found);
  }

  /** Terms of one word with gaps between all of its letters. */
  function walkSpacedLetters(text: FoldedText, found: FoundTerms): void {
    for (let first = 0; first < text.starts.length; first += 1) {
      if (!isLetter(text, first)) continue;
      let end = first + 1;
      while (end < text.starts.length && isLetter(text, end)) end += 1;
      for (let begin = first; begin + SHORTEST_SPACED <= end; begin += 1) {
        let node: SequenceNode | undefined = words.root;
        for (let last = begin; last < end; last += 1) {
          node = words.next(node, text.units[text.unitStarts[last] ?? 0] ?? NONE);
          if (node === undefined) break;
          const isAll = begin === first && last + 1 === end;
          if (node.depth < SHORTEST_SPACED || (node.depth === SHORTEST_SPACED && !isAll)) continue;
          reportWord(text, words.endingAt(node), begin, last, found);
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
        if (units.length >= SHORTEST_MASKED)
          reportWord(text, wholeWord(words, units, 0, units.length), first, last, found);
        if (masks === 1 && units.length + 1 >= SHORTEST_MASKED) {
          const mask = text.gaps.indexOf(GAP.mask, first + 1);
          const at = (text.unitStarts[mask] ?? 0) - from;
          for (const letter of maskedLetters(units[at - 1] ?? 0)) {
            const guess = [...units.slice(0, at), letter, ...units.slice(at)];
            reportWord(text, wholeWord(words, guess, 0, guess.length), first, last, found);
          }
        }
      }
      first = last;
    }
  }

  return (text, found) => {
    walkWords(text, found);
    walkSpacedLetters(text, found);
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
