/**
 * Limits the requests without a valid key that one client may send, by its address. Valid keys are never held up by it: behind one
 * address there may be many callers, and one of them must not be able to lock out the others.
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { createRateLimiter, type Bucket, type RateDecision } from './rate-limit.js';

const MOST_CLIENTS = 10_000;

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
