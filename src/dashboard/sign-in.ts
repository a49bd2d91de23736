/** Decides whether a password signs in, at a bounded price: attempts are limited, and hashes are computed one after another. */
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import { clientOf } from '../http/failed-key-limit.js';
import { createRateLimiter, type Bucket, type RateDecision } from '../http/rate-limit.js';
import { isAdminPassword, type AdminPasswordHash } from './admin-password.js';

const PER_CLIENT_PER_MINUTE = 10;
/** From all addresses together: an attacker with many of them can hold up sign-ins, but not guess faster. */
const IN_ALL_PER_MINUTE = 60;
const MOST_CLIENTS = 10_000;
/** Each takes 128 MiB and half a second while it is computed. */
const MOST_WAITING = 4;

const TOO_MANY = 'Too many attempts to sign in. Wait as Retry-After says.';

export interface SignIn {
  /** @throws ServiceError `too_many_sign_ins` without looking at the password, or `wrong_password` */
  check(password: string, address: string): Promise<void>;
}

export interface SignInDeps {
  readonly passwordHash: AdminPasswordHash;
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs?: () => number;
}

export function createSignIn({ passwordHash, monotonicMs = () => performance.now() }: SignInDeps): SignIn {
  const perClient = createRateLimiter({
    now: monotonicMs,
    buckets: new LRUCache<string, Bucket>({ max: MOST_CLIENTS }),
  });
  const inAll = createRateLimiter({ now: monotonicMs });
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function isRight(password: string): Promise<boolean> {
    if (waiting >= MOST_WAITING) throw tooMany(1);
    waiting += 1;
    try {
      const check = last.then(() => isAdminPassword(password, passwordHash));
      last = check.catch(() => undefined);
      return await check;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async check(password, address) {
      // The client first, so that one that is refused takes nothing from the others.
      refuseIfOver(perClient.take(clientOf(address), PER_CLIENT_PER_MINUTE));
      refuseIfOver(inAll.take('all', IN_ALL_PER_MINUTE));
      if (!(await isRight(password))) throw new ServiceError('wrong_password', 'This is not the password.');
    },
  };
}

function refuseIfOver(decision: RateDecision | undefined): void {
  if (decision !== undefined && !decision.allowed) throw tooMany(decision.retryAfterSeconds);
}

function tooMany(retryAfterSeconds: number): ServiceError {
  return new ServiceError('too_many_sign_ins', TOO_MANY, { retryAfterSeconds });
}
