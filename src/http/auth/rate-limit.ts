/** A token bucket per API key or client: bursts up to a minute's quota, refilled steadily. Knows names and addresses, not HTTP. */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Whole requests that are left right now. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until as many are left as were asked for (or as there can be); 0 when this was allowed. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Takes tokens of whoever has this name: all of them, or none where too few are left. `undefined` when the limit is 0: unlimited. */
  take(name: string, perMinute: number, count?: number): RateDecision | undefined;
}

export interface Bucket {
  tokens: number;
  filledAtMs: number;
}

interface Buckets {
  get(name: string): Bucket | undefined;
  set(name: string, bucket: Bucket): unknown;
}

export interface RateLimiterDeps {
  /** A monotonic clock in milliseconds: the wall clock can be set back. */
  readonly now?: () => number;
  /** By name. Where names are not of a bounded set, a cache that forgets; whoever is forgotten starts with a full bucket. */
  readonly buckets?: Buckets;
}

export function createRateLimiter({
  now = () => performance.now(),
  buckets = new Map<string, Bucket>(),
}: RateLimiterDeps = {}): RateLimiter {
  return {
    take(name, perMinute, count = 1) {
      if (perMinute === 0) return undefined;
      const perMs = perMinute / 60_000;
      const at = now();
      const bucket = buckets.get(name) ?? { tokens: perMinute, filledAtMs: at };
      bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.filledAtMs) * perMs);
      bucket.filledAtMs = at;
      buckets.set(name, bucket);
      const allowed = bucket.tokens >= count;
      if (allowed) bucket.tokens -= count;
      return {
        allowed,
        limit: perMinute,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((perMinute - bucket.tokens) / perMs / 1000),
        retryAfterSeconds: allowed
          ? 0
          : Math.max(1, Math.ceil((Math.min(count, perMinute) - bucket.tokens) / perMs / 1000)),
      };
    },
  };
}

const MOST_CLIENTS = 10_000;

/**
 * Limits the requests without a valid key that one client may send, by its address. Valid keys are never held up by it: behind one
 * address there may be many callers, and one of them must not be able to lock out the others.
 */
export interface FailedKeyLimit {
  /** Counts one more failure of the client at this address. `undefined` where there is no limit. */
  count(address: string): RateDecision | undefined;
}

/** @param perMinute 0 for no limit */
export function createFailedKeyLimit(perMinute: number): FailedKeyLimit {
  const limiter = createRateLimiter({ buckets: new LRUCache<string, Bucket>({ max: MOST_CLIENTS }) });
  return { count: (address) => limiter.take(clientOf(address), perMinute) };
}

/** What counts as one client: an IPv4 address, or a whole IPv6 network of /64, since each customer has at least one of them. */
export function clientOf(address: string): string {
  // X-Forwarded-For may hold anything, even from a proxy that is trusted.
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
