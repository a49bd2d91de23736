/** What is kept of a verdict, and the ids that put decisions in the order of time. Pure. */
import { randomBytes } from 'node:crypto';
import type { Category } from '../moderation/categories.js';

export interface Decision {
  /** See `decisionIdAt`. */
  readonly id: string;
  readonly projectId: string;
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  /** The caller's own name for the text, where its project says which member of `metadata` that is. */
  readonly reference: string | undefined;
  /** The address of the route. */
  readonly door: string;
  readonly passed: boolean;
  readonly score: number;
  readonly categories: readonly Category[];
  readonly language: string | undefined;
  /** Of the project's policy; undefined where the settings of the service decided. */
  readonly policyVersion: number | undefined;
  /** The text, encrypted; undefined where it is not kept, or was not asked for. */
  readonly content: Uint8Array | undefined;
  /** When it is deleted, in milliseconds since 1970. */
  readonly deleteAt: number;
  /** `open` where somebody is to look at it; what else there is, reviews know. */
  readonly review: string | undefined;
  /** How far the verdict is from another one: the least first. Only of those that are to be reviewed. */
  readonly doubt: number | undefined;
}

/** Of Crockford, in the order of ASCII and of every collation. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;
const DIGIT_BITS = 5;

export const DECISION_ID = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** A ULID in lower case (https://github.com/ulid/spec): 10 digits of time and 16 of chance. @param at milliseconds since 1970 */
export function decisionIdAt(at: number): string {
  let chance = '';
  for (const byte of randomBytes(RANDOM_DIGITS)) chance += DIGITS.charAt(byte % DIGITS.length);
  return timeDigits(at) + chance;
}

/** No id of that millisecond or later comes before it, and each earlier one does. */
export function firstIdAt(at: number): string {
  return timeDigits(at) + DIGITS.charAt(0).repeat(RANDOM_DIGITS);
}

function timeDigits(at: number): string {
  let rest = Math.min(Math.max(Math.trunc(at), 0), 2 ** (TIME_DIGITS * DIGIT_BITS) - 1);
  let digits = '';
  for (let place = 0; place < TIME_DIGITS; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
