/** One log line and one measurement per request. Logs who asked by id, never what: no text, metadata, key, address or raw URL. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../errors.js';
import { CLIENT_CLOSED_REQUEST } from '../problem.js';
import { PROBES } from '../routes/health-route.js';
import type { Metrics } from './metrics.js';

/** Probes come every few seconds: their lines would bury the others. */
export const QUIET_ROUTES = new Set([...PROBES, '/metrics']);

/** An error in place of a verdict. */
export interface Refusal {
  /** Undefined where the request had no valid one. */
  readonly keyId: string | undefined;
  /** The address of the route. */
  readonly door: string;
  readonly code: ErrorCode;
}

export interface RequestLogDeps {
  readonly metrics: Metrics;
  /** Told of the errors of routes that judge texts. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
}

export function registerRequestLog(app: FastifyInstance, deps: RequestLogDeps): void {
  // Not Fastify's onResponse hook, which is never called for a client that goes away before its answer.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => note(request, reply, deps));
    done();
  });
}

function note(request: FastifyRequest, reply: FastifyReply, { metrics, onRefusal }: RequestLogDeps): void {
  const route = routeOf(request) ?? 'none';
  const status = statusOf(reply);
  const { elapsedTime } = reply;
  metrics.requestDone(request.method, route, status, elapsedTime / 1000);
  if (request.problemCode !== undefined) {
    metrics.problem(request.problemCode);
    if (isDoor(request)) onRefusal?.({ keyId: request.verifiedKey?.id, door: route, code: request.problemCode });
  }
  request.log[QUIET_ROUTES.has(route) ? 'debug' : 'info'](
    {
      keyId: request.verifiedKey?.id,
      method: request.method,
      route,
      status,
      code: request.problemCode,
      milliseconds: Math.round(elapsedTime * 10) / 10,
      model: reply.getHeader('x-model'),
    },
    'request',
  );
}

/** Its address as callers know it: a colon of a path is doubled where the path is registered. */
export function routeOf({ routeOptions: { url } }: FastifyRequest): string | undefined {
  return url?.replaceAll('::', ':');
}

/** What is posted there is no text to judge. */
const NO_DOORS = ['/dashboard/', '/v1/decisions/'];

/** Whoever comes there wants a verdict. */
function isDoor({ is404, method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return !is404 && method === 'POST' && !NO_DOORS.some((start) => url.startsWith(start));
}

/** Of the answer, as logs and metrics know it: also of one that nobody received. */
export function statusOf(reply: FastifyReply): number {
  return reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED_REQUEST;
}
