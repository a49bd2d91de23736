/** What the routes that judge texts work with: who may ask, the model, the policy that counts, and who is told of a verdict. */
import { setMaxListeners } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError, type ErrorCode } from '../../errors.js';
import type { KeyVerifier, VerifiedKey } from '../../keys/key-verifier.js';
import type { Analysis, Analyzer, AnalyzeOptions } from '../../moderation/analyzer.js';
import type { VerdictPolicy } from '../../moderation/verdict-policy.js';
import type { PoliciesInForce } from '../../policies/policies-in-force.js';
import { createAuthentication, type Authentication, createKeyRateLimit } from '../auth/auth.js';
import { createFailedKeyLimit } from '../auth/rate-limit.js';
import type { Metrics } from '../observability/metrics.js';
import type { RequestTraces } from '../observability/tracing.js';
import { ClientGoneError } from '../problem.js';
import { createConcurrencyLimit, type ConcurrencyLimit } from '../../threads/concurrency-limit.js';

export interface VerdictForKey {
  readonly key: VerifiedKey;
  readonly analysis: Analysis;
  readonly elapsedMs: number;
}

export interface RouteContextDeps {
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  readonly verifier: KeyVerifier;
  readonly policies: Pick<PoliciesInForce, 'of'>;
  readonly metrics: Metrics;
  readonly rateLimitPerMinute: number;
  /** Of each client, by its address; 0 for no limit. */
  readonly failedKeysPerMinute: number;
  /** How many texts of batches may be with the model at once, all batches of a project together. */
  readonly batchConcurrency?: number;
  /** How long a request may take from its head to its answer. */
  readonly answerTimeoutMs: number;
  /** Told of every verdict on a request with a key. */
  readonly onVerdict?: ((verdict: VerdictForKey) => void) | undefined;
}

export interface RouteContext {
  readonly authenticate: Authentication;
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  /** @param reply an answer that is to name the model @throws ServiceError `model_not_ready` while the model is loading */
  readonly readyAnalyzer: (reply?: FastifyReply) => Analyzer;
  /** Of the project of the request's key: one for all of its texts. @throws ServiceError `policies_unavailable` */
  readonly policyOf: (request: FastifyRequest) => VerdictPolicy | undefined;
  /** Whose turn the texts of a request take, and until when, beside how they are to be judged. */
  readonly callerOf: (reply: FastifyReply, judging?: Pick<AnalyzeOptions, 'policy' | 'spans'>) => AnalyzeOptions;
  /**
   * One token of the rate limit a text; authentication has charged the first.
   *
   * @param member of the body that holds the texts
   * @throws ServiceError `rate_limited` where the key has fewer requests left than there are texts, `invalid_body` where it never has as many:
   * then none is judged
   */
  readonly chargeTexts: (reply: FastifyReply, count: number, member: string) => void;
  /** Shared by all routes that judge many texts. */
  readonly concurrency: ConcurrencyLimit;
  /** One text of many, whose time counts from its turn. */
  readonly judgeInTurn: (text: string, reply: FastifyReply, judging: AnalyzeOptions) => Promise<Analysis>;
  /** To be told of every other verdict. @param elapsedMs by default since the request came */
  readonly analyzed: (analysis: Analysis, reply: FastifyReply, elapsedMs?: number) => void;
  /** To be told of the problem of one text among several, whose request is answered all the same. */
  readonly itemFailed: (code: ErrorCode) => void;
}

const BATCH_CONCURRENCY = 4;

export function createRouteContext(deps: RouteContextDeps, traces?: RequestTraces): RouteContext {
  const { metrics } = deps;
  const rateLimit = createKeyRateLimit(deps.rateLimitPerMinute);

  function readyAnalyzer(reply?: FastifyReply): Analyzer {
    const analyzer = deps.analyzer();
    if (analyzer === undefined) {
      throw new ServiceError('model_not_ready', 'The model is still loading. Try again.', { retryAfterSeconds: 1 });
    }
    void reply?.header('x-model', analyzer.model);
    return analyzer;
  }

  function analyzed(analysis: Analysis, reply: FastifyReply, elapsedMs = reply.elapsedTime): void {
    const key = reply.request.verifiedKey;
    metrics.analyzed(analysis, elapsedMs / 1000, key?.project);
    traces?.analyzed(reply.request, analysis);
    if (key !== null) deps.onVerdict?.({ key, analysis, elapsedMs });
  }

  return {
    authenticate: createAuthentication({
      verifier: deps.verifier,
      rateLimit,
      failedKeyLimit: createFailedKeyLimit(deps.failedKeysPerMinute),
      onRefused: (reason) => metrics.keyRefused(reason),
    }),
    analyzer: deps.analyzer,
    readyAnalyzer,
    policyOf: ({ verifiedKey }) => (verifiedKey === null ? undefined : deps.policies.of(verifiedKey.projectId)),
    callerOf(reply, judging) {
      let signal: AbortSignal | undefined;
      return {
        ...judging,
        project: reply.request.verifiedKey?.project,
        // Made when it is asked for: what is remembered needs none, and it would cost a tenth of a cached answer.
        get signal() {
          return (signal ??= giveUpSignal(reply, deps.answerTimeoutMs));
        },
      };
    },
    chargeTexts(reply, count, member) {
      const key = reply.request.verifiedKey;
      if (key === null || count <= 1) return;
      const refusal = rateLimit.charge(key, reply, count - 1);
      if (refusal === undefined) return;
      const most = rateLimit.perMinute(key);
      if (count <= most) throw refusal;
      // To wait would be of no use.
      const message = `must be at most ${most}: each text counts as a request, and this key may send ${most} a minute`;
      throw new ServiceError('invalid_body', `${member} ${message}.`, { errors: [{ path: member, message }] });
    },
    concurrency: createConcurrencyLimit(deps.batchConcurrency ?? BATCH_CONCURRENCY),
    async judgeInTurn(text, reply, judging) {
      const begunMs = reply.elapsedTime;
      const analysis = await readyAnalyzer().analyze(text, judging);
      analyzed(analysis, reply, reply.elapsedTime - begunMs);
      return analysis;
    },
    analyzed,
    itemFailed: (code) => metrics.problem(code),
  };
}

/**
 * A signal that aborts when the connection closes before the answer is sent, with a ClientGoneError, or when the answer takes longer
 * than `timeoutMs`, with `answer_timeout`.
 *
 * Not Fastify's `request.signal` and `handlerTimeout`: they listen for the request's own `close`, which Node emits as soon as the body
 * is read, so that the signal is aborted before the handler begins (https://github.com/fastify/fastify/pull/6725).
 */
function giveUpSignal(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  // Every text of a batch listens.
  setMaxListeners(0, controller.signal);
  const timer = setTimeout(() => {
    controller.abort(
      new ServiceError('answer_timeout', 'The verdict took too long and was given up. Try again.', {
        retryAfterSeconds: 5,
      }),
    );
  }, timeoutMs);
  reply.raw.once('close', () => {
    clearTimeout(timer);
    if (!reply.raw.writableEnded) {
      controller.abort(new ClientGoneError('the connection was closed before the answer'));
    }
  });
  return controller.signal;
}
