/**
 * Vouches for a browser that has signed in before, so that its attempts are counted apart from everybody else's (OWASP, "Slow
 * Down Online Guessing Attacks with Device Cookies"). A token opens nothing: the password is needed all the same.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdminPasswordHash } from '../../admin-password.js';

const NAME_BYTES = 16;
/** Of names of accounts' browsers; no other has it. */
const OF_ACCOUNT = '~';

/** Each method is told what the account signs in with; undefined for the owner. */
export interface KnownBrowsers {
  issue(lifetimeMs: number, account?: string): string;
  /** What the attempts of this browser are counted by. @returns undefined for a token that is expired, not ours, or of somebody else */
  nameIn(token: string | undefined, account?: string): string | undefined;
}

/**
 * Signed with the hash of the password, which nobody has who could not do worse: nothing is kept, servers that share a password
 * believe each other's tokens, and a new password ends them all.
 */
export function createKnownBrowsers({ hash }: AdminPasswordHash, now: () => Date = () => new Date()): KnownBrowsers {
  const signatureOf = (signed: string): Buffer => createHmac('sha256', hash).update(`known browser:${signed}`).digest();

  return {
    issue(lifetimeMs, account) {
      const name = account === undefined ? randomBytes(NAME_BYTES).toString('base64url') : nameOf(account);
      const signed = `${now().getTime() + lifetimeMs}.${name}`;
      return `${signed}.${signatureOf(signed).toString('base64url')}`;
    },

    nameIn(token = '', account) {
      const [expiresAt = '', name = '', signature = '', ...more] = token.split('.');
      const [presented, right] = [Buffer.from(signature, 'base64url'), signatureOf(`${expiresAt}.${name}`)];
      if (more.length > 0 || presented.length !== right.length || !timingSafeEqual(presented, right)) return undefined;
      const isTheirs = account === undefined ? !name.startsWith(OF_ACCOUNT) : name === nameOf(account);
      return isTheirs && Number(expiresAt) > now().getTime() ? name : undefined;
    },
  };
}

/** One for all its browsers: whoever has an account can sign in at any number of them, and must not guess faster for it. */
function nameOf(account: string): string {
  return `${OF_ACCOUNT}${createHash('sha256').update(account).digest('base64url')}`;
}
