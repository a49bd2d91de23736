/**
 * Encrypts the texts that are kept: AES-256-GCM, under a key of its own for each, with the id of what it belongs to as additional authenticated data, so
 * that no text can be moved to another place.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

export interface TextCipher {
  seal(text: string, decisionId: string): Uint8Array;
  /** @returns undefined where no key opens it: its key is gone, or it was changed */
  open(sealed: Uint8Array, decisionId: string): string | undefined;
  /** The same for the same text, of which it tells nothing to whoever has no key: 22 characters. */
  fingerprint(text: string): string;
}

/** One byte of format, four that name the key, twelve of nonce; then the text and sixteen bytes that prove it. */
const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

export const KEY_BYTES = 32;

export function newDecisionsKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** @param keys of 32 bytes, newest first: the first one seals, each opens @returns undefined where there is none */
export function createTextCipher(keys: readonly Uint8Array[]): TextCipher | undefined {
  const [newest] = keys;
  if (newest === undefined) return undefined;
  const named = keys.map((key) => ({ key, id: keyIdOf(key) }));
  const newestId = keyIdOf(newest);
  return {
    seal(text, decisionId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(newest, decisionId), nonce);
      cipher.setAAD(Buffer.from(decisionId));
      const head = [Buffer.of(FORMAT), newestId, nonce];
      return Buffer.concat([...head, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, decisionId) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== FORMAT) return undefined;
      const keyId = bytes.subarray(1, 1 + KEY_ID_BYTES);
      for (const { key, id } of named) {
        if (!id.equals(keyId)) continue;
        const nonce = bytes.subarray(1 + KEY_ID_BYTES, HEAD_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', keyOf(key, decisionId), nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(decisionId));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        try {
          return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]).toString();
        } catch {
          // Its tag does not fit.
        }
      }
      return undefined;
    },
    fingerprint(text) {
      const digest = createHmac('sha256', keyOf(newest, 'fingerprint')).update(text).digest();
      return digest.subarray(0, FINGERPRINT_BYTES).toString('base64url');
    },
  };
}

/** A key for one text: with one for all, nonces of chance would limit how many texts it may seal (NIST SP 800-38D, 8.3). */
function keyOf(key: Uint8Array, decisionId: string): Buffer {
  return createHmac('sha256', key).update(`parapet decision ${decisionId}`).digest();
}

function keyIdOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('parapet decisions key').update(key).digest().subarray(0, KEY_ID_BYTES);
}
