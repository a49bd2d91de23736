/** What readers found in comments of the Wikipedia test, which tells toxic ones from harmless ones alone. Not all that is labelled harmless is. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const HASH_LENGTH = 16;

/** @param file a hash of each comment of one kind: they are not ours to publish */
export function readHashes(file: URL): ReadonlySet<string> {
  return new Set(readFileSync(file, 'ascii').split('\n').filter(Boolean));
}

/** @param hashes as hashOf gives them */
export function among(texts: readonly string[], hashes: ReadonlySet<string>): string[] {
  return texts.filter((text) => hashes.has(hashOf(text)));
}

/** @param hashes as hashOf gives them */
export function notAmong(texts: readonly string[], hashes: ReadonlySet<string>): string[] {
  return texts.filter((text) => !hashes.has(hashOf(text)));
}

/** The first 16 digits of the SHA-256 of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
