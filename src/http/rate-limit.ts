/** A token bucket per API key: bursts up to a minute's quota, refilled steadily. Knows key ids, not keys or HTTP. */

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Whole requests that are left right now. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when this one was. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Takes one token for the key. `undefined` when its limit is 0: unlimited. */
  take(keyId: string, perMinute: number): RateDecision | undefined;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** @param now a monotonic clock in milliseconds: the wall clock can be set back */
export function createRateLimiter(now: () => number = () => performance.now()): RateLimiter {
  // One small entry per key that was ever used: bounded by the keys file.
  const buckets = new Map<string, Bucket>();
  return {
    take(keyId, perMinute) {
      if (perMinute === 0) return undefined;
      const perMs = perMinute / 60_000;
      const at = now();
      const bucket = buckets.get(keyId) ?? { tokens: perMinute, filledAtMs: at };
      bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.filledAtMs) * perMs);
      bucket.filledAtMs = at;
      buckets.set(keyId, bucket);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return {
        allowed,
        limit: perMinute,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((perMinute - bucket.tokens) / perMs / 1000),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)),
      };
    },
  };
}
