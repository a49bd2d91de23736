/**
 * How often somebody may ask: so many times in a window of a minute, which begins with the first request. Knows names and addresses, not HTTP,
 * and not where is counted.
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests that are left in this window. */
  readonly remaining: number;
  /** Seconds until the window ends, at least 1: then the whole limit is there again. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Takes so many requests of whoever has this name: all of them, or none where too few are left. `undefined` when the limit is 0: unlimited. */
  take(name: string, perMinute: number, count?: number): Promise<RateDecision | undefined>;
}

/** Counts what each name took in its window. */
export type Counter = Pick<RateLimiterAbstract, 'consume' | 'reward'>;

/** Those whose counts are apart from each other. */
export type CreateCounter = (of: 'key' | 'sign-in') => Counter;

/** Without a limit of its own, as each name has another: nothing is refused by it. */
export const COUNTER_OPTIONS = { points: Number.MAX_SAFE_INTEGER, duration: 60 } as const;

const MOST_NAMES = 50_000;

/** In this process alone. Of more names those that asked longest ago begin anew: the memory of strangers' addresses has an end. */
export class LocalCounter extends RateLimiterMemory {
  readonly #names = new LRUCache<string, true>({ max: MOST_NAMES, dispose: (_, name) => void this.delete(name) });

  constructor(private readonly onCount: () => void = () => undefined) {
    super(COUNTER_OPTIONS);
  }

  override consume(name: string, count?: number): ReturnType<RateLimiterMemory['consume']> {
    this.#names.set(name, true);
    this.onCount();
    return super.consume(name, count);
  }
}

/**
 * What a request may take at once, and then gets back: a name that is further over its limit is not one that waits for that, and what it asks in
 * this window is refused without counting.
 */
const MOST_AT_ONCE = 1000;

export function createRateLimiter(counter: Counter = new LocalCounter()): RateLimiter {
  const refusedUntilMs = new LRUCache<string, number>({ max: MOST_NAMES });

  return {
    async take(name, perMinute, count = 1) {
      if (perMinute === 0) return undefined;
      const decision = (allowed: boolean, taken: number, msLeft: number): RateDecision => ({
        allowed,
        limit: perMinute,
        remaining: Math.max(0, perMinute - taken),
        resetSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
      });
      const refusedForMs = (refusedUntilMs.get(name) ?? 0) - performance.now();
      if (refusedForMs > 0) return decision(false, perMinute, refusedForMs);
      const { consumedPoints: taken, msBeforeNext } = await counter.consume(name, count);
      if (taken <= perMinute) return decision(true, taken, msBeforeNext);
      if (taken > perMinute + MOST_AT_ONCE) refusedUntilMs.set(name, performance.now() + msBeforeNext);
      // One that is refused stays counted: it is over the limit in any case, and to give it back would cost another question.
      if (count === 1) return decision(false, taken, msBeforeNext);
      await counter.reward(name, count);
      return decision(false, taken - count, msBeforeNext);
    },
  };
}

/**
 * Limits the requests without a valid key that one client may send, by its address. Valid keys are never held up by it: behind one
 * address there may be many callers, and one of them must not be able to lock out the others. Each process counts alone: nobody without a key
 * makes it ask others.
 */
export interface FailedKeyLimit {
  /** Counts one more failure of the client at this address. `undefined` where there is no limit. */
  count(address: string): Promise<RateDecision | undefined>;
}

/** @param perMinute 0 for no limit */
export function createFailedKeyLimit(perMinute: number): FailedKeyLimit {
  const limiter = createRateLimiter();
  return { count: (address) => limiter.take(clientOf(address), perMinute) };
}

/** What counts as one client: an IPv4 address, or a whole IPv6 network of /64, since each customer has at least one of them. */
export function clientOf(address: string): string {
  // X-Forwarded-For may hold anything, even from a proxy that is trusted.
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
