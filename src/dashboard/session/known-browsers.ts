/**
 * Vouches for a browser that has signed in before, so that its attempts are counted apart from everybody else's (OWASP, "Slow
 * Down Online Guessing Attacks with Device Cookies"). A token opens nothing: the password is needed all the same.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdminPasswordHash } from '../../admin-password.js';

const NAME_BYTES = 16;

export interface KnownBrowsers {
  issue(lifetimeMs: number): string;
  /** What the attempts of this browser are counted by. @returns undefined for a token that is expired or not ours */
  nameIn(token: string | undefined): string | undefined;
}

/**
 * Signed with the hash of the password, which nobody has who could not do worse: nothing is kept, servers that share a password
 * believe each other's tokens, and a new password ends them all.
 */
export function createKnownBrowsers({ hash }: AdminPasswordHash, now: () => Date = () => new Date()): KnownBrowsers {
  const signatureOf = (signed: string): Buffer => createHmac('sha256', hash).update(`known browser:${signed}`).digest();

  return {
    issue(lifetimeMs) {
      const signed = `${now().getTime() + lifetimeMs}.${randomBytes(NAME_BYTES).toString('base64url')}`;
      return `${signed}.${signatureOf(signed).toString('base64url')}`;
    },

    nameIn(token = '') {
      const [expiresAt = '', name = '', signature = '', ...more] = token.split('.');
      const [presented, right] = [Buffer.from(signature, 'base64url'), signatureOf(`${expiresAt}.${name}`)];
      if (more.length > 0 || presented.length !== right.length || !timingSafeEqual(presented, right)) return undefined;
      return Number(expiresAt) > now().getTime() ? name : undefined;
    },
  };
}
