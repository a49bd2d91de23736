/** Charges what a key sends to its rate limit, and says in headers how much is left of it. */
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { VerifiedKey } from '../../keys/key-verifier.js';
import { createRateLimiter } from './rate-limit.js';

export interface KeyRateLimit {
  /** One request, or `count` items of one: all of them or none. @returns the refusal, where too few are left */
  charge(key: VerifiedKey, reply: FastifyReply, count?: number): ServiceError | undefined;
}

/** @param defaultPerMinute for keys without a limit of their own; 0 for no limit */
export function createKeyRateLimit(defaultPerMinute: number): KeyRateLimit {
  const limiter = createRateLimiter();
  return {
    charge(key, reply, count = 1) {
      const decision = limiter.take(key.id, key.rateLimitPerMinute ?? defaultPerMinute, count);
      if (decision === undefined) return undefined;
      // draft-ietf-httpapi-ratelimit-headers
      void reply.header('ratelimit-policy', `"per-key";q=${decision.limit};w=60`);
      void reply.header('ratelimit', `"per-key";r=${decision.remaining};t=${decision.resetSeconds}`);
      if (decision.allowed) return undefined;
      const detail =
        count === 1
          ? `This key may send ${decision.limit} requests a minute. Wait as Retry-After says.`
          : `Each text counts as a request, and of the ${decision.limit} a minute of this key too few are left. Wait as Retry-After says, or send fewer texts at once.`;
      return new ServiceError('rate_limited', detail, { retryAfterSeconds: decision.retryAfterSeconds });
    },
  };
}
