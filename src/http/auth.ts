/** Lets a request through only with a valid API key, and within that key's rate limit. Runs before the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import type { KeyVerifier, VerifiedKey } from '../keys/key-verifier.js';
import type { FailedKeyLimit } from './failed-key-limit.js';
import type { RateLimiter } from './rate-limit.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated; never the key itself. */
    verifiedKey: VerifiedKey | null;
  }
}

export interface AuthOptions {
  readonly verifier: KeyVerifier;
  readonly rateLimiter: RateLimiter;
  readonly defaultRateLimitPerMinute: number;
  readonly failedKeyLimit: FailedKeyLimit;
  /** Told the reason of a refusal, for metrics: the caller is never told which it was. */
  readonly onRefused?: (reason: string) => void;
}

const UNAUTHORIZED_DETAIL =
  'Send a valid API key in the X-API-Key header. Keys are made with "npm run keys -- create".';
const TOO_MANY_FAILURES_DETAIL =
  'Too many requests without a valid API key came from this address. Wait as Retry-After says, and check the key.';

export function createAuthentication(options: AuthOptions) {
  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const presented = request.headers['x-api-key'];
    const verification = options.verifier.verify(typeof presented === 'string' ? presented : undefined);
    if (verification.status === 'unavailable') {
      options.onRefused?.(verification.status);
      done(
        new ServiceError('keys_unavailable', 'API keys cannot be checked at the moment. Try again.', {
          retryAfterSeconds: 5,
        }),
      );
      return;
    }
    if (verification.status !== 'valid') {
      options.onRefused?.(verification.status);
      const failures = options.failedKeyLimit.count(request.ip);
      done(
        failures === undefined || failures.allowed
          ? new ServiceError('unauthorized', UNAUTHORIZED_DETAIL)
          : new ServiceError('too_many_failures', TOO_MANY_FAILURES_DETAIL, {
              retryAfterSeconds: failures.retryAfterSeconds,
            }),
      );
      return;
    }
    const { key } = verification;
    request.verifiedKey = key;
    const decision = options.rateLimiter.take(key.id, key.rateLimitPerMinute ?? options.defaultRateLimitPerMinute);
    if (decision !== undefined) {
      // draft-ietf-httpapi-ratelimit-headers
      void reply.header('ratelimit-policy', `"per-key";q=${decision.limit};w=60`);
      void reply.header('ratelimit', `"per-key";r=${decision.remaining};t=${decision.resetSeconds}`);
      if (!decision.allowed) {
        done(
          new ServiceError(
            'rate_limited',
            `This key may send ${decision.limit} requests a minute. Wait as Retry-After says.`,
            {
              retryAfterSeconds: decision.retryAfterSeconds,
            },
          ),
        );
        return;
      }
    }
    done();
  };
}
