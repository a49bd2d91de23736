/** One log line and one measurement per request. Logs who asked by id, never what: no text, metadata, key, address or raw URL. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_CLOSED_REQUEST } from '../problem.js';
import { PROBES } from '../routes/health-route.js';
import type { Metrics } from './metrics.js';

/** Probes come every few seconds: their lines would bury the others. */
export const QUIET_ROUTES = new Set([...PROBES, '/metrics']);

export function registerRequestLog(app: FastifyInstance, metrics: Metrics): void {
  // Not Fastify's onResponse hook, which is never called for a client that goes away before its answer.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => note(request, reply, metrics));
    done();
  });
}

function note(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  // A colon of a path is doubled where the path is registered.
  const route = request.routeOptions.url?.replaceAll('::', ':') ?? 'none';
  const status = statusOf(reply);
  const { elapsedTime } = reply;
  metrics.requestDone(request.method, route, status, elapsedTime / 1000);
  if (request.problemCode !== undefined) metrics.problem(request.problemCode);
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

/** Of the answer, as logs and metrics know it: also of one that nobody received. */
export function statusOf(reply: FastifyReply): number {
  return reply.raw.writableEnded ? reply.statusCode : CLIENT_CLOSED_REQUEST;
}
