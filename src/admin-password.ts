/** The operator's password: hashes it, compares one with its hash, and the text form of that. Knows nothing of sessions or where the hash is kept. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from './errors.js';
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from './people/password-limits.js';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface ScryptCost {
  readonly log2N: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

export interface AdminPasswordHash extends ScryptCost {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** N = 2^17, r = 8, p = 1: 128 MiB and about half a second (OWASP Password Storage Cheat Sheet, scrypt). */
export const PASSWORD_COST: ScryptCost = { log2N: 17, blockSize: 8, parallelism: 1 };

/** @throws OperatorError where it is too short or too long */
export async function hashAdminPassword(password: string, cost = PASSWORD_COST): Promise<AdminPasswordHash> {
  if (password.length < LEAST_PASSWORD_CHARACTERS || password.length > MOST_PASSWORD_CHARACTERS) {
    throw new OperatorError(
      `The password must have ${LEAST_PASSWORD_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters.`,
    );
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

const base64url = z.string().regex(/^[\w-]+$/);
const fieldsSchema = z.tuple([
  z.literal('scrypt'),
  // The bounds keep a mistyped hash from asking for all memory at the first sign-in, or for next to no work.
  z.coerce.number().int().min(14).max(20),
  z.coerce.number().int().min(8).max(16),
  z.coerce.number().int().min(1).max(4),
  base64url,
  base64url,
]);

/** @returns `scrypt:17:8:1:SALT:HASH`. Colons, because shells and compose files replace what follows a dollar sign. */
export function formatAdminPasswordHash({ log2N, blockSize, parallelism, salt, hash }: AdminPasswordHash): string {
  return ['scrypt', log2N, blockSize, parallelism, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** @returns undefined where the text is no such hash */
export function parseAdminPasswordHash(text: string): AdminPasswordHash | undefined {
  const parsed = fieldsSchema.safeParse(text.trim().split(':'));
  if (!parsed.success) return undefined;
  const [, log2N, blockSize, parallelism, saltText, hashText] = parsed.data;
  const salt = Buffer.from(saltText, 'base64url');
  const hash = Buffer.from(hashText, 'base64url');
  if (salt.length < SALT_BYTES || hash.length < HASH_BYTES) return undefined;
  return { log2N, blockSize, parallelism, salt, hash };
}
