/** Lets a request through only with a valid API key, and within that key's rate limit. Runs before the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import type { KeyVerification, KeyVerifier, VerifiedKey } from '../keys/key-verifier.js';
import type { FailedKeyLimit } from './failed-key-limit.js';
import type { KeyRateLimit } from './key-rate-limit.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated; never the key itself. */
    verifiedKey: VerifiedKey | null;
  }
}

export interface AuthOptions {
  readonly verifier: KeyVerifier;
  readonly rateLimit: KeyRateLimit;
  readonly failedKeyLimit: FailedKeyLimit;
  /** Told the reason of a refusal, for metrics: the caller is never told which it was. */
  readonly onRefused?: (reason: string) => void;
}

/** Where a route takes the key from. */
export interface KeySource {
  keyIn(request: FastifyRequest): string | undefined;
  /** Tells the caller where to put it. */
  readonly advice: string;
}

const API_KEY_HEADER: KeySource = {
  keyIn: ({ headers }) => headerOf(headers['x-api-key']),
  advice: 'Send a valid API key in the X-API-Key header. Keys are made with "npm run keys -- create".',
};

/** Node joins a header that was sent twice, so that it is no key; the type allows for those that it keeps apart. */
export function headerOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const TOO_MANY_FAILURES_DETAIL =
  'Too many requests without a valid API key came from this address. Wait as Retry-After says, and check the key.';

export function createAuthentication(options: AuthOptions, source: KeySource = API_KEY_HEADER) {
  /** @returns why the request is refused, if it is */
  function refusalOf(verification: KeyVerification, request: FastifyRequest, reply: FastifyReply): Error | undefined {
    if (verification.status === 'valid') {
      request.verifiedKey = verification.key;
      return options.rateLimit.charge(verification.key, reply);
    }
    options.onRefused?.(verification.status);
    if (verification.status === 'unavailable') {
      return new ServiceError('keys_unavailable', 'API keys cannot be checked at the moment. Try again.', {
        retryAfterSeconds: 5,
      });
    }
    const failures = options.failedKeyLimit.count(request.ip);
    return failures === undefined || failures.allowed
      ? new ServiceError('unauthorized', source.advice)
      : new ServiceError('too_many_failures', TOO_MANY_FAILURES_DETAIL, {
          retryAfterSeconds: failures.retryAfterSeconds,
        });
  }

  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const verification = options.verifier.verify(source.keyIn(request));
    // A promise only while a large key file is read: all other requests go on in the same turn.
    if (verification instanceof Promise) void verification.then((late) => done(refusalOf(late, request, reply)));
    else done(refusalOf(verification, request, reply));
  };
}
