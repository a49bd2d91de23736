/**
 * The words that terms are made of, with the places where a `*` stands for any letters: finds those that fit a word in time that depends
 * on the length of the word and not on how many there are. Kept in typed arrays, so that ten thousand take little more than their letters.
 */
import { STAR } from './folded-text.js';
import {
  followedBy,
  hashOf,
  joined,
  mixed,
  slotsFor,
  withStarBefore,
  withStarBehind,
  type HashedUnits,
} from './word-hashes.js';

/** `whole`, `start*`, `*end`, `*part*`, `start*end`: other words with a `*` are not read. */
export type PatternShape = 'whole' | 'start' | 'end' | 'part' | 'ends';

/** @returns undefined of one that is none of the shapes */
export function shapeOf(units: readonly number[]): PatternShape | undefined {
  const stars = units.reduce((count, unit) => count + (unit === STAR ? 1 : 0), 0);
  const first = units[0] === STAR;
  const last = units.at(-1) === STAR;
  if (stars === 0) return 'whole';
  if (units.length === stars) return undefined;
  if (stars === 1) return first ? 'end' : last ? 'start' : 'ends';
  return stars === 2 && first && last ? 'part' : undefined;
}

/** A pattern by its number, or NONE. */
export const NONE = -1;

/** `lead` and `middle` are whether a `*` stands before the first part, and between it and the second. */
interface Key {
  readonly lead: boolean;
  readonly from: number;
  readonly to: number;
  readonly middle: boolean;
  readonly secondFrom: number;
  readonly secondTo: number;
}

export interface WordPatterns {
  /** The pattern without a `*` that equals these units. */
  whole(word: HashedUnits, from: number, to: number): number;
  /** As `whole`, of units that are not in a row. */
  wholeOf(units: readonly number[]): number;
  /** The patterns with a `*` that fit. */
  eachWild(word: HashedUnits, from: number, to: number, found: (pattern: number) => void): void;
  readonly wholeLengths: readonly number[];
  readonly hasWild: boolean;
  readonly bytes: number;
}

export class WordPatternsBuilder {
  readonly #units: number[] = [];
  readonly #ends: number[] = [0];
  readonly #numbers = new Map<string, number>();
  readonly #lengths: Record<PatternShape, Set<number>> = {
    whole: new Set(),
    start: new Set(),
    end: new Set(),
    part: new Set(),
    ends: new Set(),
  };
  readonly #lengthsOfSecond = new Set<number>();
  /** Beginnings of `start*end`, kept as `start*` that is no pattern itself where it is none. */
  readonly #beginnings = new Set<number>();
  readonly #patterns = new Set<number>();

  /** The number of a pattern, a new one where it was not there before. */
  add(units: readonly number[], shape: PatternShape): number {
    const number = this.#numberOf(units);
    this.#patterns.add(number);
    const star = units.indexOf(STAR);
    const stars = shape === 'whole' ? 0 : shape === 'part' ? 2 : 1;
    if (shape === 'ends') {
      this.#beginnings.add(this.#numberOf(units.slice(0, star + 1)));
      this.#lengths.ends.add(star);
      this.#lengthsOfSecond.add(units.length - star - 1);
    } else this.#lengths[shape].add(units.length - stars);
    return number;
  }

  #numberOf(units: readonly number[]): number {
    const key = String.fromCharCode(...units);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    for (const unit of units) this.#units.push(unit);
    this.#ends.push(this.#units.length);
    return number;
  }

  get size(): number {
    return this.#numbers.size;
  }

  build(): WordPatterns {
    const { start, end, part, ends } = this.#lengths;
    return createWordPatterns({
      units: Uint16Array.from(this.#units),
      ends: Uint32Array.from(this.#ends),
      isPattern: flagsOf(this.#patterns, this.size),
      isBeginning: flagsOf(this.#beginnings, this.size),
      wholeLengths: ascending(this.#lengths.whole),
      startLengths: ascending(new Set([...start, ...ends])),
      endLengths: ascending(end),
      partLengths: ascending(part),
      secondLengths: ascending(this.#lengthsOfSecond),
    });
  }
}

function ascending(lengths: ReadonlySet<number>): number[] {
  return [...lengths].sort((one, other) => one - other);
}

function flagsOf(numbers: ReadonlySet<number>, size: number): Uint8Array {
  const flags = new Uint8Array(size);
  for (const number of numbers) flags[number] = 1;
  return flags;
}

interface PatternTable {
  /** Of pattern number n from `ends[n]` to `ends[n + 1]`. */
  readonly units: Uint16Array;
  readonly ends: Uint32Array;
  readonly isPattern: Uint8Array;
  readonly isBeginning: Uint8Array;
  /** Of the parts between the `*`, in units, ascending: no other lengths are looked up. */
  readonly wholeLengths: readonly number[];
  readonly startLengths: readonly number[];
  readonly endLengths: readonly number[];
  readonly partLengths: readonly number[];
  readonly secondLengths: readonly number[];
}

// Apart from the builder, so that nothing here keeps that in memory.
function createWordPatterns(table: PatternTable): WordPatterns {
  const { units, ends, isPattern, isBeginning, wholeLengths, startLengths, endLengths, partLengths, secondLengths } =
    table;
  const isWholeLength = flagsOf(new Set(wholeLengths), (wholeLengths.at(-1) ?? 0) + 1);
  const slots = createSlots(units, ends);

  function find(hash: number, word: readonly number[], key: Key): number {
    for (let slot = mixed(hash) % slots.length; ; slot = (slot + 1) % slots.length) {
      const number = (slots[slot] ?? 0) - 1;
      if (number === NONE) return NONE;
      if (equals(number, word, key)) return number;
    }
  }

  function equals(number: number, word: readonly number[], key: Key): boolean {
    let at = ends[number] ?? 0;
    const stars = (key.lead ? 1 : 0) + (key.middle ? 1 : 0);
    if ((ends[number + 1] ?? 0) - at !== stars + key.to - key.from + key.secondTo - key.secondFrom) return false;
    if (key.lead && units[at++] !== STAR) return false;
    for (let index = key.from; index < key.to; index += 1) if (units[at++] !== word[index]) return false;
    if (key.middle && units[at++] !== STAR) return false;
    for (let index = key.secondFrom; index < key.secondTo; index += 1) if (units[at++] !== word[index]) return false;
    return true;
  }

  const whole = (word: HashedUnits, from: number, to: number): number => {
    if (isWholeLength[to - from] !== 1) return NONE;
    const key = { lead: false, from, to, middle: false, secondFrom: to, secondTo: to };
    return find(hashOf(word, from, to), word.units, key);
  };

  return {
    wholeLengths,
    hasWild: startLengths.length + endLengths.length + partLengths.length > 0,
    bytes: units.byteLength + ends.byteLength + isPattern.byteLength + isBeginning.byteLength + slots.byteLength,
    whole,
    wholeOf: (word) => {
      if (isWholeLength[word.length] !== 1) return NONE;
      const key = { lead: false, from: 0, to: word.length, middle: false, secondFrom: 0, secondTo: 0 };
      return find(word.reduce(followedBy, 0), word, key);
    },
    eachWild(word, from, to, found) {
      const { units: letters } = word;
      for (const length of startLengths) {
        const end = from + length;
        if (end > to) break;
        const hash = withStarBehind(hashOf(word, from, end));
        const start = find(hash, letters, { lead: false, from, to: end, middle: true, secondFrom: to, secondTo: to });
        if (start === NONE) continue;
        if (isPattern[start] === 1) found(start);
        if (isBeginning[start] !== 1) continue;
        for (const secondLength of secondLengths) {
          const secondFrom = to - secondLength;
          if (secondFrom < end) break;
          const both = joined(hash, hashOf(word, secondFrom, to), secondLength);
          const key = { lead: false, from, to: end, middle: true, secondFrom, secondTo: to };
          const ends = find(both, letters, key);
          if (ends !== NONE) found(ends);
        }
      }
      for (const length of endLengths) {
        const start = to - length;
        if (start < from) break;
        const hash = withStarBefore(hashOf(word, start, to), length);
        const key = { lead: true, from: start, to, middle: false, secondFrom: to, secondTo: to };
        const end = find(hash, letters, key);
        if (end !== NONE) found(end);
      }
      for (const length of partLengths) {
        for (let start = from; start + length <= to; start += 1) {
          const end = start + length;
          const hash = withStarBehind(withStarBefore(hashOf(word, start, end), length));
          const key = { lead: true, from: start, to: end, middle: true, secondFrom: to, secondTo: to };
          const part = find(hash, letters, key);
          if (part !== NONE) found(part);
        }
      }
    },
  };
}

/** Open addressing; of each pattern its number plus one. */
function createSlots(units: Uint16Array, ends: Uint32Array): Int32Array {
  const count = ends.length - 1;
  const slots = new Int32Array(slotsFor(count));
  for (let number = 0; number < count; number += 1) {
    let hash = 0;
    for (let at = ends[number] ?? 0; at < (ends[number + 1] ?? 0); at += 1) hash = followedBy(hash, units[at] ?? 0);
    let slot = mixed(hash) % slots.length;
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = number + 1;
  }
  return slots;
}
