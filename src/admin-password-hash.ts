/** The text form of the hash of the operator's password. Computes none: dashboard/admin-password.ts does. */
import { z } from 'zod';

const LEAST_SALT_BYTES = 16;
const LEAST_HASH_BYTES = 32;

export interface ScryptCost {
  readonly log2N: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

export interface AdminPasswordHash extends ScryptCost {
  readonly salt: Buffer;
  readonly hash: Buffer;
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
  if (salt.length < LEAST_SALT_BYTES || hash.length < LEAST_HASH_BYTES) return undefined;
  return { log2N, blockSize, parallelism, salt, hash };
}
