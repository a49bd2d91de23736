/** A token bucket per API key or client: bursts up to a minute's quota, refilled steadily. Knows names, not keys or HTTP. */

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
