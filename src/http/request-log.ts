/** One log line and one measurement per request. Logs who asked by id, never what: no text, metadata, key, address or raw URL. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

/** Probes come every few seconds: their lines would bury the others. */
const QUIET_ROUTES = new Set(['/v1/health', '/metrics']);

export function registerRequestLog(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // A colon of a path is doubled where the path is registered.
    const route = request.routeOptions.url?.replaceAll('::', ':') ?? 'none';
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    metrics.requestDone(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    request.log[QUIET_ROUTES.has(route) ? 'debug' : 'info'](
      {
        keyId: request.verifiedKey?.id,
        method: request.method,
        route,
        status: reply.statusCode,
        milliseconds,
        model: reply.getHeader('x-model'),
      },
      'request',
    );
    done();
  });
}
