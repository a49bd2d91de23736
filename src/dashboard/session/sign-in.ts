/**
 * Decides whether a password signs in, at a bounded price: attempts are limited, and hashes are computed one after another. A
 * browser that is known has limits and a queue of its own, so that no flood of guesses keeps its operator out.
 */
import { randomBytes } from 'node:crypto';
import { type AdminPasswordHash, hashAdminPassword, isAdminPassword } from '../../admin-password.js';
import { ServiceError } from '../../errors.js';
import { clientOf, createRateLimiter, type Counter } from '../../http/auth/rate-limit.js';
import type { Account } from '../../people/accounts.js';
import { OWNER, type Actor } from '../../people/roles.js';

/** For an address, and for a known browser: whoever steals the cookie of one guesses no faster than anybody else. */
const EACH_PER_MINUTE = 10;
/** From all addresses together: an attacker with many of them can hold up unknown browsers, but not guess faster. */
const ADDRESSES_PER_MINUTE = 60;
/** In each queue, beside the one that is computed: that takes 128 MiB and half a second. */
const MOST_WAITING = 3;

const NOT_THE_PASSWORD = 'This is not the password.';
const NO_SUCH_ACCOUNT = 'There is no account of this name and password.';
const TOO_MANY = 'Too many attempts to sign in. Wait as Retry-After says.';

export interface Attempt {
  readonly address: string;
  /** See known-browsers.ts. */
  readonly knownBrowser: string | undefined;
  /** What it signs in with; undefined for the owner. */
  readonly account: string | undefined;
  readonly password: string;
}

export interface SignIn {
  /**
   * Takes as long for a name that is not there as for one that is.
   *
   * @returns who has this password
   * @throws ServiceError `too_many_sign_ins` without looking at the password, or `wrong_password`
   */
  check(attempt: Attempt): Promise<Actor>;
  /** For an account, at the price of the owner's. @throws ServiceError `too_many_sign_ins` while others are computed; OperatorError as hashAdminPassword does */
  hash(password: string): Promise<AdminPasswordHash>;
}

export interface SignInDeps {
  /** Of the owner. */
  readonly passwordHash: AdminPasswordHash;
  /** @throws ServiceError where it cannot be known */
  readonly accountCalled: (name: string) => Promise<Account | undefined>;
  /** Told the id of the account, empty where there is none of the name. */
  readonly onWrongPassword: (accountId: string, address: string) => Promise<void>;
  /** Absent: this process counts alone. */
  readonly attempts?: Counter | undefined;
}

type Waiting = () => Promise<unknown>;

export function createSignIn({ passwordHash, accountCalled, onWrongPassword, attempts }: SignInDeps): SignIn {
  const limiter = createRateLimiter(attempts);
  const known: Waiting[] = [];
  const unknown: Waiting[] = [];
  let computing = false;
  /** No password has it. */
  const nobodys = { ...passwordHash, hash: randomBytes(passwordHash.hash.length) };

  function inTurn<Result>(queue: Waiting[], compute: () => Promise<Result>): Promise<Result> {
    if (queue.length >= MOST_WAITING) throw tooMany(1);
    return new Promise((resolve) => {
      queue.push(() => {
        const result = compute();
        resolve(result);
        return result;
      });
      if (!computing) void computeAll();
    });
  }

  async function computeAll(): Promise<void> {
    computing = true;
    for (let next = first(); next !== undefined; next = first()) await next().catch(() => undefined);
    computing = false;
  }

  async function refuseIfOver(name: string, perMinute: number): Promise<void> {
    const decision = await limiter.take(name, perMinute);
    if (decision !== undefined && !decision.allowed) throw tooMany(decision.resetSeconds);
  }

  const first = (): Waiting | undefined => known.shift() ?? unknown.shift();

  async function refuseIfTooMany({ address, knownBrowser }: Pick<Attempt, 'address' | 'knownBrowser'>): Promise<void> {
    if (knownBrowser === undefined) {
      // The address first, so that one that is refused takes nothing from the others.
      await refuseIfOver(`address:${clientOf(address)}`, EACH_PER_MINUTE);
      await refuseIfOver('addresses', ADDRESSES_PER_MINUTE);
    } else await refuseIfOver(`browser:${knownBrowser}`, EACH_PER_MINUTE);
  }

  return {
    async check({ account, password, ...from }) {
      await refuseIfTooMany(from);
      const who = account === undefined ? { ...OWNER, passwordHash } : await accountCalled(account);
      const expected = who !== undefined && isEnabled(who) ? who.passwordHash : undefined;
      const isRight = await inTurn(from.knownBrowser === undefined ? unknown : known, () =>
        isAdminPassword(password, expected ?? nobodys),
      );
      if (who === undefined || !isRight) {
        await onWrongPassword(who?.id ?? '', from.address);
        throw new ServiceError('wrong_password', account === undefined ? NOT_THE_PASSWORD : NO_SUCH_ACCOUNT);
      }
      return { id: who.id, name: who.name, role: who.role };
    },

    hash: (password) => inTurn(known, () => hashAdminPassword(password, passwordHash)),
  };
}

const isEnabled = (who: Actor | Account): boolean => !('disabledAt' in who) || who.disabledAt === undefined;

/** @returns what an account signs in with; undefined for the owner */
export function accountIn(name: string | undefined): string | undefined {
  const account = name?.trim().toLowerCase();
  return account === '' || account === OWNER.name ? undefined : account;
}

function tooMany(retryAfterSeconds: number): ServiceError {
  return new ServiceError('too_many_sign_ins', TOO_MANY, { retryAfterSeconds });
}
