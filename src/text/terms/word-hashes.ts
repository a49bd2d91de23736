/**
 * Hashes of any part of a word in constant time (Rabin and Karp's: a polynomial modulo 2 to the 32). Knows no terms. The base is drawn at
 * random once a process, so that nobody can make up words that share a hash; what is found is compared in full and never depends on it.
 */
import { randomInt } from 'node:crypto';
import { STAR } from './folded-text.js';

/** In units. A longer word is no term's: those have so many at most, with every letter folded to several. */
export const MOST_WORD_UNITS = 400;

const BASE = 2 * randomInt(2 ** 30) + 1;
const POWERS = Int32Array.from({ length: MOST_WORD_UNITS + 3 });
POWERS[0] = 1;
for (let exponent = 1; exponent < POWERS.length; exponent += 1) {
  POWERS[exponent] = Math.imul(POWERS[exponent - 1] ?? 0, BASE);
}

/** Units, and at each index the hash of those before it. */
export interface HashedUnits {
  readonly units: readonly number[];
  readonly hashes: readonly number[];
}

export function hashed(units: readonly number[]): HashedUnits {
  const hashes = [0];
  let hash = 0;
  for (const unit of units) {
    hash = followedBy(hash, unit);
    hashes.push(hash);
  }
  return { units, hashes };
}

/** @param to at most MOST_WORD_UNITS after `from` */
export function hashOf({ hashes }: HashedUnits, from: number, to: number): number {
  return ((hashes[to] ?? 0) - Math.imul(hashes[from] ?? 0, POWERS[to - from] ?? 0)) | 0;
}

export function followedBy(hash: number, unit: number): number {
  return (Math.imul(hash, BASE) + unit + 1) | 0;
}

/** The hash of what two hashes stand for, one behind the other. */
export function joined(hash: number, next: number, lengthOfNext: number): number {
  return (Math.imul(hash, POWERS[lengthOfNext] ?? 0) + next) | 0;
}

const STAR_HASH = followedBy(0, STAR);

export function withStarBehind(hash: number): number {
  return followedBy(hash, STAR);
}

export function withStarBefore(hash: number, length: number): number {
  return joined(STAR_HASH, hash, length);
}

/** Spreads a hash over the slots of a table. */
export function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return (bits ^ (bits >>> 13)) >>> 0;
}

/** The size of a table with open addressing for so many items: never full, and short ways to each. */
export function slotsFor(items: number): number {
  return Math.ceil(items * 1.4) + 1;
}
