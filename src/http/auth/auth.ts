/** Lets a request through only with a valid API key, and within that key's rate limit. Runs before the body is read. */
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preParsingHookHandler } from 'fastify';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Transform } from 'node:stream';
import { ServiceError } from '../../errors.js';
import { isMeantAsKey } from '../../keys/key-format.js';
import type { KeyVerification, KeyVerifier, VerifiedKey } from '../../keys/key-verifier.js';
import { createRateLimiter, type Counter, type FailedKeyLimit } from './rate-limit.js';

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
  readonly onRefused: (reason: string) => void;
}

/** Where a route takes the key from, beside `Authorization: Bearer`, which all of them know. */
export interface KeySource {
  keyIn(request: FastifyRequest): string | undefined;
  /** Tells the caller where to put it. */
  readonly advice: string;
}

export const API_KEY_HEADER: KeySource = {
  keyIn: ({ headers }) => headerOf(headers['x-api-key']),
  advice:
    'Send a valid API key in the header X-API-Key, or as Authorization: Bearer YOUR_KEY; the same one where both are sent. Keys are made with "npx parapet keys create".',
};

/** Node joins a header that was sent twice, so that it is no key; the type allows for those that it keeps apart. */
export function headerOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** RFC 6750, section 2.1 */
const BEARER = /^Bearer +(.+)$/i;

function bearerIn({ headers, raw: { rawHeaders } }: FastifyRequest): string | undefined {
  if (headers.authorization === undefined) return undefined;
  // Node keeps the first of several: joined they are no key, as with other headers.
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
  return BEARER.exec(values.join(', '))?.[1];
}

/**
 * What a request presents as its key. A bearer token that is no key of ours may be for a gateway in between, and does not count beside a key.
 * Of two keys nobody could say which project is meant: joined they are none.
 */
function presentedIn(request: FastifyRequest, source: KeySource): string | undefined {
  const key = source.keyIn(request);
  const bearer = bearerIn(request);
  if (key === undefined || key === '') return bearer;
  return bearer === undefined || bearer === key || !isMeantAsKey(bearer) ? key : `${key}, ${bearer}`;
}

const TOO_MANY_FAILURES_DETAIL =
  'Too many requests without a valid API key came from this address. Wait as Retry-After says, and check the key.';

/** An `onRequest` hook. @param source where the key is, by default the header X-API-Key */
export type Authentication = (source?: KeySource) => onRequestAsyncHookHandler;

/** Of a route whose callers sign the body (HMAC-SHA256) in place of sending a key. */
export interface SignatureSource extends Pick<KeySource, 'advice'> {
  keyIdIn(request: FastifyRequest): string;
  /** Hexadecimal. One that is right is enough: a caller who changes its secret signs with both for a while. */
  signaturesIn(request: FastifyRequest): readonly string[];
}

/** A `preParsing` hook: nothing is made of a body before its signature is found right. */
export type SignedAuthentication = (source: SignatureSource) => preParsingHookHandler;

export function createAuthentication(options: AuthOptions): {
  readonly authenticate: Authentication;
  readonly authenticateSigned: SignedAuthentication;
} {
  /** @returns why the request is refused, if it is */
  async function refusalOf(
    verification: KeyVerification,
    reply: FastifyReply,
    { advice }: Pick<KeySource, 'advice'>,
  ): Promise<ServiceError | undefined> {
    const { request } = reply;
    if (verification.status === 'valid') {
      request.verifiedKey = verification.key;
      return await options.rateLimit.charge(verification.key, reply);
    }
    options.onRefused(verification.status);
    if (verification.status === 'unavailable') {
      return new ServiceError('keys_unavailable', 'API keys cannot be checked at the moment. Try again.', {
        retryAfterSeconds: 5,
      });
    }
    const failures = await options.failedKeyLimit.count(request.ip);
    return failures === undefined || failures.allowed
      ? new ServiceError('unauthorized', advice)
      : new ServiceError('too_many_failures', TOO_MANY_FAILURES_DETAIL, {
          retryAfterSeconds: failures.resetSeconds,
        });
  }

  return {
    authenticate:
      (source = API_KEY_HEADER) =>
      async (request, reply) => {
        const refusal = await refusalOf(await options.verifier.verify(presentedIn(request, source)), reply, source);
        if (refusal !== undefined) throw refusal;
      },

    authenticateSigned: (source) => (request, reply, payload, done) => {
      const chunks: Buffer[] = [];
      const verify = async (): Promise<ServiceError | undefined> => {
        const signatures = source.signaturesIn(request);
        const verification = await options.verifier.verifySigned(source.keyIdIn(request), (secret) =>
          isSignedWith(secret, chunks, signatures),
        );
        return await refusalOf(verification, reply, source);
      };
      const passing = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          chunks.push(chunk);
          next(null, chunk);
        },
        flush: (end) => void verify().then(end, end),
      });
      // Where the answer does not wait for the end of the body, nobody takes the rest.
      reply.raw.once('finish', () => payload.unpipe(passing));
      payload.once('error', (error) => passing.destroy(error)).pipe(passing);
      done(null, passing);
    },
  };
}

function isSignedWith(secret: string, chunks: readonly Buffer[], signatures: readonly string[]): boolean {
  const hmac = createHmac('sha256', secret);
  for (const chunk of chunks) hmac.update(chunk);
  const expected = hmac.digest();
  return signatures.some((signature) => {
    const given = Buffer.from(signature, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

export interface KeyRateLimit {
  /** One request, or `count` items of one: all of them or none. @returns the refusal, where too few are left */
  charge(key: VerifiedKey, reply: FastifyReply, count?: number): Promise<ServiceError | undefined>;
  /** 0 for no limit. */
  perMinute(key: VerifiedKey): number;
}

/** Says in headers how much is left. @param defaultPerMinute for keys without a limit of their own; 0 for no limit */
export function createKeyRateLimit(defaultPerMinute: number, counter?: Counter): KeyRateLimit {
  const limiter = createRateLimiter(counter);
  const perMinute = ({ rateLimitPerMinute }: VerifiedKey): number => rateLimitPerMinute ?? defaultPerMinute;
  return {
    perMinute,
    async charge(key, reply, count = 1) {
      const decision = await limiter.take(key.id, perMinute(key), count);
      if (decision === undefined) return undefined;
      // draft-ietf-httpapi-ratelimit-headers
      void reply.header('ratelimit-policy', `"per-key";q=${decision.limit};w=60`);
      void reply.header('ratelimit', `"per-key";r=${decision.remaining};t=${decision.resetSeconds}`);
      if (decision.allowed) return undefined;
      const detail =
        count === 1
          ? `This key may send ${decision.limit} requests a minute. Wait as Retry-After says.`
          : `Each text counts as a request, and of the ${decision.limit} a minute of this key too few are left. Wait as Retry-After says, or send fewer texts at once.`;
      return new ServiceError('rate_limited', detail, { retryAfterSeconds: decision.resetSeconds });
    },
  };
}
