/**
 * What routes that judge several texts in one request have in common: readiness, turns, and one token of the rate limit a text (its
 * passages are that text).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError, type ErrorCode } from '../errors.js';
import type { Analysis, Analyzer } from '../moderation/analyzer.js';
import type { VerdictPolicy } from '../moderation/verdict-policy.js';
import type { createAuthentication } from './auth.js';
import type { KeyRateLimit } from './key-rate-limit.js';
import type { Turns } from './turns.js';

export interface ManyTextsOptions {
  readonly authenticate: ReturnType<typeof createAuthentication>;
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  /** Of the project of the request's key: one for all of its texts. @throws ServiceError `policies_unavailable` */
  readonly policyOf: (request: FastifyRequest) => VerdictPolicy | undefined;
  readonly answerTimeoutMs: number;
  /** @param elapsedMs since the text had its turn; by default since the request came */
  readonly onAnalyzed?: (analysis: Analysis, reply: FastifyReply, elapsedMs?: number) => void;
  /** Told of the problem of one text among several, whose request is answered all the same. */
  readonly onItemProblem?: (code: ErrorCode) => void;
  readonly rateLimit: KeyRateLimit;
  /** Shared by all routes that judge many texts. */
  readonly turns: Turns;
}

/** @throws ServiceError `model_not_ready` while the model is loading */
export function readyAnalyzer(options: ManyTextsOptions, reply: FastifyReply): Analyzer {
  const analyzer = options.analyzer();
  if (analyzer === undefined) {
    throw new ServiceError('model_not_ready', 'The model is still loading. Try again.', { retryAfterSeconds: 1 });
  }
  void reply.header('x-model', analyzer.model);
  return analyzer;
}

/** @throws ServiceError `rate_limited` where the key has fewer requests left than there are texts: then none is judged */
export function chargeTexts(
  { rateLimit }: ManyTextsOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  count: number,
): void {
  // Authentication has charged the first.
  if (request.verifiedKey === null || count <= 1) return;
  const refusal = rateLimit.charge(request.verifiedKey, reply, count - 1);
  if (refusal !== undefined) throw refusal;
}
