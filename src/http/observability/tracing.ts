/**
 * A span for each request and one for each stage of a judged text, in the trace that the caller began (W3C Trace Context). Attributes
 * say who asked by id and what came out, never what was asked: no text, metadata, key, address or raw URL.
 */
import type { Context, Span, SpanOptions, TextMapPropagator, Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Analysis } from '../../moderation/analyzer.js';
import { QUIET_ROUTES, statusOf } from './request-log.js';

export interface Tracing {
  /** The package, which is loaded only where tracing was asked for. */
  readonly api: Pick<
    typeof import('@opentelemetry/api'),
    'ROOT_CONTEXT' | 'SpanKind' | 'SpanStatusCode' | 'defaultTextMapGetter' | 'defaultTextMapSetter' | 'trace'
  >;
  readonly tracer: Tracer;
  readonly propagator: TextMapPropagator;
}

export interface RequestTraces {
  analyzed(request: FastifyRequest, analysis: Analysis): void;
}

interface Traced {
  readonly span: Span;
  readonly context: Context;
  /** Milliseconds since the epoch, with fractions, by a clock that only goes forward while the request lasts. */
  readonly nowMs: () => number;
}

/** Traces every request to a route that is worth it. Register it before other hooks, so that refusals are traced too. */
export function traceRequests(app: FastifyInstance, { api, tracer, propagator }: Tracing): RequestTraces {
  const traced = new WeakMap<FastifyRequest, Traced>();

  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && QUIET_ROUTES.has(route)) {
      done();
      return;
    }
    const nowMs = clock();
    const parent = propagator.extract(api.ROOT_CONTEXT, request.headers, api.defaultTextMapGetter);
    const options: SpanOptions = {
      kind: api.SpanKind.SERVER,
      startTime: nowMs(),
      attributes: {
        'http.request.method': request.method,
        ...(route !== undefined && { 'http.route': route }),
        'parapet.request_id': request.id,
      },
    };
    const span = tracer.startSpan(`${request.method} ${route ?? ''}`.trimEnd(), options, parent);
    const context = api.trace.setSpan(parent, span);
    const own = { span, context, nowMs };
    traced.set(request, own);
    reply.raw.once('close', () => end(request, reply, own));
    const { traceId, spanId, traceFlags } = span.spanContext();
    // Of W3C Trace Context, level 2: lets a caller that does not trace find its request.
    void reply.header('traceresponse', `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`);
    request.log = reply.log = request.log.child({ traceId, spanId });
    done();
  });

  function end(request: FastifyRequest, reply: FastifyReply, { span, nowMs }: Traced): void {
    const status = statusOf(reply);
    span.setAttribute('http.response.status_code', status);
    if (request.problemCode !== undefined) span.setAttribute('error.type', request.problemCode);
    if (request.verifiedKey !== null) span.setAttribute('parapet.key_id', request.verifiedKey.id);
    // By the semantic conventions for servers: a 4xx is the caller's mistake.
    if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end(nowMs());
  }

  return {
    analyzed(request, analysis) {
      const found = traced.get(request);
      if (found === undefined) return;
      const { verdict, cached, sequences, timings } = analysis;
      found.span.setAttributes({
        'parapet.passed': verdict.passed,
        'parapet.score': verdict.score,
        'parapet.band': verdict.band,
        'parapet.categories': [...verdict.categories],
        'parapet.cached': cached,
        'parapet.windows': sequences,
      });
      if (timings === undefined) return;
      for (const { stage, startMs, endMs, spentMs } of stagesBefore(found.nowMs(), timings)) {
        tracer
          .startSpan(stage, { startTime: startMs, attributes: { 'parapet.spent_ms': spentMs } }, found.context)
          .end(endMs);
      }
    },
  };
}

/** The clock of the system may step; the time that passed since now may not. */
function clock(): () => number {
  const offsetMs = Date.now() - performance.now();
  return () => offsetMs + performance.now();
}

interface Stage {
  readonly stage: 'queue' | 'tokenize' | 'infer';
  readonly startMs: number;
  readonly endMs: number;
  readonly spentMs: number;
}

/** One after the other up to `endMs`: how long they took is known, and their order, but not when each began. */
function stagesBefore(endMs: number, { queueMs, tokenizeMs, inferMs }: NonNullable<Analysis['timings']>): Stage[] {
  const inferStartMs = endMs - inferMs;
  const tokenizeStartMs = inferStartMs - tokenizeMs;
  return [
    { stage: 'queue', startMs: tokenizeStartMs - queueMs, endMs: tokenizeStartMs, spentMs: queueMs },
    { stage: 'tokenize', startMs: tokenizeStartMs, endMs: inferStartMs, spentMs: tokenizeMs },
    { stage: 'infer', startMs: inferStartMs, endMs, spentMs: inferMs },
  ];
}
