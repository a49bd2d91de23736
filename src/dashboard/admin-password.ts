/** Hashes the operator's password and compares one with its hash. Knows nothing of sessions or where the hash is kept. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { AdminPasswordHash, ScryptCost } from '../admin-password-hash.js';
import { OperatorError } from '../errors.js';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const LEAST_CHARACTERS = 12;
/** Longer ones would only cost time before anybody has signed in. */
export const MOST_PASSWORD_CHARACTERS = 256;

/** N = 2^17, r = 8, p = 1: 128 MiB and about half a second (OWASP Password Storage Cheat Sheet, scrypt). */
const COST: ScryptCost = { log2N: 17, blockSize: 8, parallelism: 1 };

/** @throws OperatorError where it is too short or too long */
export async function hashAdminPassword(password: string, cost = COST): Promise<AdminPasswordHash> {
  if (password.length < LEAST_CHARACTERS || password.length > MOST_PASSWORD_CHARACTERS) {
    throw new OperatorError(`The password must have ${LEAST_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters.`);
  }
  const salt = randomBytes(SALT_BYTES);
  return { ...cost, salt, hash: await derive(password, salt, HASH_BYTES, cost) };
}

/** Runs on a thread of libuv's pool, and compares in constant time. */
export async function isAdminPassword(password: string, expected: AdminPasswordHash): Promise<boolean> {
  return timingSafeEqual(await derive(password, expected.salt, expected.hash.length, expected), expected.hash);
}

function derive(password: string, salt: Buffer, length: number, cost: ScryptCost): Promise<Buffer> {
  const options = { N: 2 ** cost.log2N, r: cost.blockSize, p: cost.parallelism };
  // scrypt takes 128 * N * r bytes, and OpenSSL a little more.
  const maxmem = 128 * options.N * options.r * options.p + 32 * 1024 * 1024;
  return new Promise((resolve, reject) => {
    // One and the same password may be typed as composed or as combining characters (RFC 8265, section 4.2.2).
    scrypt(password.normalize('NFC'), salt, length, { ...options, maxmem }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
