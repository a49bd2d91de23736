/** What the routes that judge texts work with: who may ask, the model, the policy that counts, and who is told of a verdict. */
import { setMaxListeners } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError, type ErrorCode } from '../../errors.js';
import type { KeyVerifier } from '../../keys/key-verifier.js';
import type { Analysis, Analyzer, AnalyzeOptions } from '../../moderation/analyzer.js';
import type { VerdictPolicy } from '../../moderation/verdict-policy.js';
import type { PoliciesInForce } from '../../policies/policies-in-force.js';
import {
  createAuthentication,
  type Authentication,
  createKeyRateLimit,
  type SignedAuthentication,
} from '../auth/auth.js';
import { createFailedKeyLimit, type CreateCounter } from '../auth/rate-limit.js';
import type { Metrics } from '../observability/metrics.js';
import { routeOf, type Refusal } from '../observability/request-log.js';
import type { RequestTraces } from '../observability/tracing.js';
import { ClientGoneError } from '../problem.js';
import { createConcurrencyLimit, type ConcurrencyLimit } from '../../threads/concurrency-limit.js';

/** A text of a request with a key, and what was found. */
export interface AnsweredText {
  readonly keyId: string;
  readonly projectId: string;
  /** The address of the route. */
  readonly door: string;
  readonly requestId: string;
  readonly content: string;
  /** What the caller sent with it, where the door takes that. */
  readonly metadata: unknown;
  readonly analysis: Analysis;
  readonly latencyMs: number;
}

/** Names the decision, where the project keeps it. */
export const DECISION_HEADER = 'x-decision-id';

/** Of one text of a request. */
interface TextOptions {
  /** When its turn came, after the request. */
  readonly begunMs?: number;
  readonly metadata?: unknown;
  /** The only one of its request: a header names the decision, where it is kept. */
  readonly isAlone?: boolean;
}

export interface RouteContextDeps {
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  readonly verifier: KeyVerifier;
  readonly policies: Pick<PoliciesInForce, 'of'>;
  readonly metrics: Metrics;
  readonly rateLimitPerMinute: number;
  /** Absent: this process counts alone. */
  readonly createCounter?: CreateCounter | undefined;
  /** Of each client, by its address; 0 for no limit. */
  readonly failedKeysPerMinute: number;
  /** How many texts of batches may be with the model at once, all batches of a project together. */
  readonly batchConcurrency: number;
  /** How long a request may take from its head to its answer. */
  readonly answerTimeoutMs: number;
  /** Told of every verdict on a request with a key. @returns the id of the decision, where it is kept */
  readonly onVerdict?: ((answered: AnsweredText) => string | undefined) | undefined;
  /** Told of every error in place of a verdict, of a request or of one text among several. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
}

export interface CallerOptions extends Pick<AnalyzeOptions, 'policy' | 'spans'> {
  /** How long after its receipt a request may be answered, where that is less than all may take. */
  readonly withinMs?: number | undefined;
}

export interface RouteContext {
  readonly authenticate: Authentication;
  readonly authenticateSigned: SignedAuthentication;
  /** `undefined` until the model is loaded. */
  readonly analyzer: () => Analyzer | undefined;
  /** @param reply an answer that is to name the model @throws ServiceError `model_not_ready` while the model is loading */
  readonly readyAnalyzer: (reply?: FastifyReply) => Analyzer;
  /**
   * Whose turn the texts of a request take, and until when, and how they are to be judged: unless told otherwise under the policy of the key's
   * project, one for all of them. A promise only where that must be read first. @throws ServiceError `policies_unavailable`
   */
  readonly callerOf: (reply: FastifyReply, options?: CallerOptions) => AnalyzeOptions | Promise<AnalyzeOptions>;
  /**
   * One token of the rate limit a text; authentication has charged the first.
   *
   * @param member of the body that holds the texts
   * @throws ServiceError `rate_limited` where the key has fewer requests left than there are texts, `invalid_body` where it never has as many:
   * then none is judged
   */
  readonly chargeTexts: (reply: FastifyReply, count: number, member: string) => Promise<void>;
  /** Shared by all routes that judge many texts. */
  readonly concurrency: ConcurrencyLimit;
  /** Judges a text of a request with a key, for metrics, traces and whoever is told of verdicts as well. */
  readonly judge: (
    text: string,
    reply: FastifyReply,
    caller: AnalyzeOptions,
    options?: TextOptions,
  ) => Promise<Analysis>;
  /** To be told of the problem of one text among several, whose request is answered all the same. */
  readonly itemFailed: (code: ErrorCode, request: FastifyRequest) => void;
}

export function createRouteContext(deps: RouteContextDeps, traces?: RequestTraces): RouteContext {
  const { metrics } = deps;
  const rateLimit = createKeyRateLimit(deps.rateLimitPerMinute, deps.createCounter?.('key'));

  function readyAnalyzer(reply?: FastifyReply): Analyzer {
    const analyzer = deps.analyzer();
    if (analyzer === undefined) {
      throw new ServiceError('model_not_ready', 'The model is still loading. Try again.', { retryAfterSeconds: 1 });
    }
    void reply?.header('x-model', analyzer.model);
    return analyzer;
  }

  function timeoutMs(reply: FastifyReply, { withinMs = Infinity }: CallerOptions): number {
    return Math.min(deps.answerTimeoutMs, withinMs - reply.elapsedTime);
  }

  function callerUnder(
    policy: VerdictPolicy | undefined,
    reply: FastifyReply,
    options: CallerOptions,
    signal?: AbortSignal,
  ): AnalyzeOptions {
    return {
      policy: options.policy ?? policy,
      spans: options.spans,
      project: reply.request.verifiedKey?.project,
      // Made when it is asked for: what is remembered needs none, and it would cost a tenth of a cached answer.
      get signal() {
        return (signal ??= giveUpSignal(reply, timeoutMs(reply, options)));
      },
    };
  }

  return {
    ...createAuthentication({
      verifier: deps.verifier,
      rateLimit,
      failedKeyLimit: createFailedKeyLimit(deps.failedKeysPerMinute),
      onRefused: (reason) => metrics.keyRefused(reason),
    }),
    analyzer: deps.analyzer,
    readyAnalyzer,
    callerOf(reply, options = {}) {
      const { verifiedKey: key } = reply.request;
      // Not asked for where another was given.
      const policy = key === null || options.policy !== undefined ? undefined : deps.policies.of(key.projectId);
      if (!(policy instanceof Promise)) return callerUnder(policy, reply, options);
      const signal = giveUpSignal(reply, timeoutMs(reply, options));
      return untilAborted(policy, signal).then((read) => callerUnder(read, reply, options, signal));
    },
    async chargeTexts(reply, count, member) {
      const key = reply.request.verifiedKey;
      if (key === null || count <= 1) return;
      const most = rateLimit.perMinute(key);
      if (most > 0 && count > most) {
        // To wait would be of no use.
        const message = `must be at most ${most}: each text counts as a request, and this key may send ${most} a minute`;
        throw new ServiceError('invalid_body', `${member} ${message}.`, { errors: [{ path: member, message }] });
      }
      const refusal = await rateLimit.charge(key, reply, count - 1);
      if (refusal !== undefined) throw refusal;
    },
    concurrency: createConcurrencyLimit(deps.batchConcurrency),
    async judge(text, reply, caller, { begunMs = 0, metadata, isAlone = false } = {}) {
      const analysis = await readyAnalyzer().analyze(text, caller);
      const { verifiedKey: key } = reply.request;
      const latencyMs = reply.elapsedTime - begunMs;
      metrics.analyzed(analysis, latencyMs / 1000, key?.project);
      traces?.analyzed(reply.request, analysis);
      if (key !== null) {
        const decisionId = deps.onVerdict?.({
          keyId: key.id,
          projectId: key.projectId,
          door: routeOf(reply.request) ?? '',
          requestId: reply.request.id,
          content: text,
          metadata,
          analysis,
          latencyMs,
        });
        if (isAlone && decisionId !== undefined) void reply.header(DECISION_HEADER, decisionId);
      }
      return analysis;
    },
    itemFailed(code, request) {
      metrics.problem(code);
      deps.onRefusal?.({ keyId: request.verifiedKey?.id, door: routeOf(request) ?? '', code });
    },
  };
}

/** Rejects with the reason of the signal where that comes first. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
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
  const gone = new ClientGoneError('the connection was closed before the answer');
  // Before anybody listened.
  if (reply.raw.closed) {
    controller.abort(gone);
    return controller.signal;
  }
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
      controller.abort(gone);
    }
  });
  return controller.signal;
}
