/** What is kept of a verdict, and the ids that put decisions in the order of time. Pure. */
import { randomBytes } from 'node:crypto';
import type { Category } from '../moderation/categories.js';

export interface Decision {
  /** See `createDecisionIds`. */
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
const COUNT_DIGITS = 3;
const CHANCE_DIGITS = 13;

export const DECISION_ID = /^[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * As a ULID in lower case (https://github.com/ulid/spec): 10 digits of time, 3 that count within a millisecond, and 13 of chance.
 *
 * @returns what gives the next id. @param at milliseconds since 1970
 */
export function createDecisionIds(): (at: number) => string {
  let latest = 0;
  let count = 0;
  return (at) => {
    count = at === latest ? count + 1 : 0;
    latest = at;
    return decisionIdAt(at, count);
  };
}

export function decisionIdAt(at: number, count = 0): string {
  let chance = '';
  for (const byte of randomBytes(CHANCE_DIGITS)) chance += DIGITS.charAt(byte % DIGITS.length);
  return digitsOf(at, TIME_DIGITS) + digitsOf(count, COUNT_DIGITS) + chance;
}

/** No id of that millisecond or later comes before it, and each earlier one does. */
export function firstIdAt(at: number): string {
  return digitsOf(at, TIME_DIGITS) + DIGITS.charAt(0).repeat(COUNT_DIGITS + CHANCE_DIGITS);
}

/** The highest there is where they are too few. */
function digitsOf(value: number, length: number): string {
  let rest = Math.min(Math.max(Math.trunc(value), 0), DIGITS.length ** length - 1);
  let digits = '';
  for (let place = 0; place < length; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
