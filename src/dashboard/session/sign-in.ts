/**
 * Decides whether a password signs in, at a bounded price: attempts are limited, and hashes are computed one after another. A
 * browser that is known has limits and a queue of its own, so that no flood of guesses keeps its operator out.
 */
import { type AdminPasswordHash, isAdminPassword } from '../../admin-password.js';
import { ServiceError } from '../../errors.js';
import { clientOf, createRateLimiter, type Counter } from '../../http/auth/rate-limit.js';

/** For an address, and for a known browser: whoever steals the cookie of one guesses no faster than anybody else. */
const EACH_PER_MINUTE = 10;
/** From all addresses together: an attacker with many of them can hold up unknown browsers, but not guess faster. */
const ADDRESSES_PER_MINUTE = 60;
/** In each queue, beside the one that is computed: that takes 128 MiB and half a second. */
const MOST_WAITING = 3;

const TOO_MANY = 'Too many attempts to sign in. Wait as Retry-After says.';

export interface Attempt {
  readonly password: string;
  readonly address: string;
  /** See known-browsers.ts. */
  readonly knownBrowser: string | undefined;
}

export interface SignIn {
  /** @throws ServiceError `too_many_sign_ins` without looking at the password, or `wrong_password` */
  check(attempt: Attempt): Promise<void>;
}

export interface SignInDeps {
  readonly passwordHash: AdminPasswordHash;
  /** Absent: this process counts alone. */
  readonly attempts?: Counter | undefined;
}

interface Waiting {
  readonly password: string;
  readonly answer: (check: Promise<boolean>) => void;
}

export function createSignIn({ passwordHash, attempts }: SignInDeps): SignIn {
  const limiter = createRateLimiter(attempts);
  const known: Waiting[] = [];
  const unknown: Waiting[] = [];
  let computing = false;

  function isRight(password: string, queue: Waiting[]): Promise<boolean> {
    if (queue.length >= MOST_WAITING) throw tooMany(1);
    return new Promise((resolve) => {
      queue.push({ password, answer: resolve });
      if (!computing) void computeAll();
    });
  }

  async function computeAll(): Promise<void> {
    computing = true;
    for (let next = first(); next !== undefined; next = first()) {
      const check = isAdminPassword(next.password, passwordHash);
      next.answer(check);
      await check.catch(() => undefined);
    }
    computing = false;
  }

  async function refuseIfOver(name: string, perMinute: number): Promise<void> {
    const decision = await limiter.take(name, perMinute);
    if (decision !== undefined && !decision.allowed) throw tooMany(decision.resetSeconds);
  }

  const first = (): Waiting | undefined => known.shift() ?? unknown.shift();

  return {
    async check({ password, address, knownBrowser }) {
      if (knownBrowser === undefined) {
        // The address first, so that one that is refused takes nothing from the others.
        await refuseIfOver(`address:${clientOf(address)}`, EACH_PER_MINUTE);
        await refuseIfOver('addresses', ADDRESSES_PER_MINUTE);
      } else await refuseIfOver(`browser:${knownBrowser}`, EACH_PER_MINUTE);
      const isSignedIn = await isRight(password, knownBrowser === undefined ? unknown : known);
      if (!isSignedIn) throw new ServiceError('wrong_password', 'This is not the password.');
    },
  };
}

function tooMany(retryAfterSeconds: number): ServiceError {
  return new ServiceError('too_many_sign_ins', TOO_MANY, { retryAfterSeconds });
}
