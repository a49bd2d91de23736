/**
 * The shape of a key: `sk_live_` or `sk_test_`, 32 random base62 characters, 6 of checksum. Makes keys, recognises mistyped ones
 * and hashes them. Knows nothing of where keys are stored.
 */
import { hash, randomInt } from 'node:crypto';
import type { KeyEnvironment } from './key-record.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32; // 190 bits
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32: every CRC has its own six characters
const START_LENGTH = 12;
const KEY_LENGTH = 'sk_live_'.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const KEY_SHAPE = new RegExp(`^sk_(live|test)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

const KEY_PREFIX = /^sk_(?:live|test)_/;

export interface KeySecret {
  /** Shown once, stored nowhere. */
  readonly key: string;
  /** SHA-256 of the key, 64 hexadecimal digits: what is stored and looked up. */
  readonly hash: string;
  /** The first 12 characters, to recognise the key in a list. */
  readonly start: string;
}

export function createKeySecret(environment: KeyEnvironment): KeySecret {
  const unchecked = `sk_${environment}_${randomBase62(RANDOM_LENGTH)}`;
  const key = unchecked + checksumOf(unchecked);
  return { key, hash: hashKey(key), start: key.slice(0, START_LENGTH) };
}

/** randomInt rejects samples that would favour some characters; `byte % 62` would not. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}

/**
 * Whether this can be a key at all. Any one wrong character and any two swapped neighbours are found for certain: a CRC-32
 * finds every error that spans at most 32 bits. Other mistakes pass once in 4 billion.
 */
export function isWellFormedKey(presented: string): boolean {
  // The length first: a header may be kilobytes long, and it is the caller who chooses.
  if (presented.length !== KEY_LENGTH || !KEY_SHAPE.test(presented)) return false;
  return presented.slice(-CHECKSUM_LENGTH) === checksumOf(presented.slice(0, -CHECKSUM_LENGTH));
}

/** Whether it can only be meant as a key of this service, whole or mistyped. */
export function isMeantAsKey(presented: string): boolean {
  return KEY_PREFIX.test(presented);
}

/**
 * No slow hash and no salt: those protect secrets that can be guessed. Nobody goes through 2^190 keys, so one SHA-256 keeps a
 * stolen key file worthless, and a request does not pay for more.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** As GitHub's tokens do it (github.blog, "Behind GitHub's new authentication token formats", 2021): CRC-32 in base62. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** CRC-32 (IEEE 802.3) of ASCII. zlib.crc32 would do, but Node 21, 22.0 and 22.1 lack it and would fail to start. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
