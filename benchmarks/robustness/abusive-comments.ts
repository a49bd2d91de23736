/** Texts that are labelled harmless and are not: annotators slip, and one insult among thirty comments makes a long text of them abusive. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const HASH_LENGTH = 16;

/**
 * What three of five readers call abusive of the comments that the Wikipedia test calls harmless (docs/decisions/0055). The comments are not ours to
 * publish: the file holds a hash of each.
 */
export function readAbusiveComments(file: URL): ReadonlySet<string> {
  return new Set(readFileSync(file, 'ascii').split('\n').filter(Boolean));
}

/** @param abusive as hashOf gives them */
export function withoutAbusive(texts: readonly string[], abusive: ReadonlySet<string>): string[] {
  return texts.filter((text) => !abusive.has(hashOf(text)));
}

/** The first 16 digits of the SHA-256 of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
