/** Assembles the HTTP side: hooks, routes, error answers, API description. Wires nothing that is not HTTP. */
import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { createJsonSchemaTransform, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError } from '../errors.js';
import type { KeyVerifier } from '../keys/key-verifier.js';
import type { Analyzer } from '../moderation/analyzer.js';
import { registerAnalyzeRoute } from './analyze-route.js';
import { createAuthentication } from './auth.js';
import { answerClientError } from './client-errors.js';
import { acceptJsonOnly } from './json-body.js';
import type { Metrics } from './metrics.js';
import { sendNotFound, sendProblem } from './problem.js';
import { createRateLimiter } from './rate-limit.js';
import { registerRequestLog } from './request-log.js';
import { healthResponse, MAX_BODY_BYTES, type HealthStatus } from './schemas.js';
import { validateWithZod } from './validation.js';

export interface HttpServerDeps {
  readonly analyzer: () => Analyzer | undefined;
  readonly verifier: KeyVerifier;
  readonly health: () => HealthStatus;
  /** True once a stop was asked for: requests that begin after it are refused. */
  readonly isStopping: () => boolean;
  readonly metrics: Metrics;
  readonly metricsPublic: boolean;
  readonly rateLimitPerMinute: number;
  readonly logger: NonNullable<FastifyServerOptions['logger']>;
  readonly version: string;
}

/** Longer than the 60 s that load balancers keep idle connections, so that it is they who close. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** What a caller may choose as a request id: short, and safe to print in a log. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const app = Fastify({
    logger: deps.logger,
    disableRequestLogging: true,
    bodyLimit: MAX_BODY_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Requests on open connections get our own 503 while stopping, see below.
    return503OnClosing: false,
    genReqId(request) {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      sendProblem(error, request, reply);
    },
  });
  app.setValidatorCompiler(validateWithZod);
  // Answers are built by our own typed code; JSON.stringify writes them faster than a parse by the schema would.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendNotFound(app, request, reply));
  app.decorateRequest('verifiedKey', null);
  acceptJsonOnly(app);

  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    const refused = deps.isStopping() && request.routeOptions.url !== '/v1/health';
    done(refused ? new ServiceError('shutting_down', 'The service is shutting down. Try another replica.', { retryAfterSeconds: 1 }) : undefined);
  });
  registerRequestLog(app, deps.metrics);

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parapet',
        description: 'Self-hosted content moderation: text in, verdict out, judged by a neural model inside the process.',
        version: deps.version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'moderation', description: 'Verdicts on texts' },
        { name: 'operation', description: 'For operators' },
      ],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    },
    transform: createJsonSchemaTransform({ skipList: ['/openapi.json'] }),
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, uiConfig: { url: '/openapi.json' } });

  registerAnalyzeRoute(app, {
    authenticate: createAuthentication({
      verifier: deps.verifier,
      rateLimiter: createRateLimiter(),
      defaultRateLimitPerMinute: deps.rateLimitPerMinute,
      onRefused: (reason) => deps.metrics.keyRefused(reason),
    }),
    analyzer: deps.analyzer,
    onAnalyzed: (analysis) => deps.metrics.analyzed(analysis),
  });
  app.withTypeProvider<ZodTypeProvider>().get(
    '/v1/health',
    {
      schema: {
        summary: 'Check health',
        description: 'Healthy only when the model is loaded and has answered a warm-up text.',
        tags: ['operation'],
        response: { 200: healthResponse, 503: healthResponse },
      },
    },
    (_request, reply) => {
      const status = deps.health();
      void reply.code(status === 'healthy' ? 200 : 503).send({ status, timestamp: new Date().toISOString() });
    },
  );
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    void reply.send(app.swagger());
  });
  if (deps.metricsPublic) registerMetricsRoute(app, deps.metrics);
  return app;
}

export function registerMetricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    void reply.type(metrics.registry.contentType);
    return reply.send(await metrics.registry.metrics());
  });
}
