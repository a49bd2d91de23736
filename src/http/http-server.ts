/** Assembles the HTTP side: hooks, routes, error answers, API description. Wires nothing that is not HTTP. */
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError, type ErrorCode } from '../errors.js';
import type { KeyVerifier, VerifiedKey } from '../keys/key-verifier.js';
import type { PoliciesInForce } from '../policies/policies-in-force.js';
import type { Analysis, Analyzer } from '../moderation/analyzer.js';
import { registerAnalyzeRoute } from './analyze-route.js';
import { registerApiDescription, type ApiExtension } from './api-description.js';
import { createAuthentication, type AuthOptions } from './auth.js';
import { registerBatchRoute } from './batch-route.js';
import { errorFormatOf } from './compat/error-formats.js';
import { OPENAI_KEY, registerModerationsRoute } from './compat/openai-route.js';
import { PERSPECTIVE_KEY, registerPerspectiveRoutes } from './compat/perspective-route.js';
import { createFailedKeyLimit } from './failed-key-limit.js';
import { errorIn, faultOf } from '../fault.js';
import { registerFrontPage } from './front-page.js';
import { acceptJsonOnly } from './json-body.js';
import { createKeyRateLimit } from './key-rate-limit.js';
import type { Metrics } from './metrics.js';
import { createNodeServer } from './node-server.js';
import { sendNotFound, sendProblem } from './problem.js';
import { protocolProblem } from './protocol.js';
import { requestIdOf } from './request-id.js';
import { registerRequestLog } from './request-log.js';
import { healthResponse, MAX_BODY_BYTES, type HealthStatus } from './schemas.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { traceRequests, type Tracing } from './tracing.js';
import { createTurns } from './turns.js';
import { NO_COMPILERS, validateWithZod } from './validation.js';

export interface HttpServerDeps {
  readonly analyzer: () => Analyzer | undefined;
  readonly verifier: KeyVerifier;
  readonly policies: Pick<PoliciesInForce, 'of'>;
  readonly health: () => HealthStatus;
  /** True once a stop was asked for: requests that begin after it are refused. */
  readonly isStopping: () => boolean;
  readonly metrics: Metrics;
  readonly metricsPublic: boolean;
  readonly rateLimitPerMinute: number;
  /** Of each client, by its address; 0 for no limit. */
  readonly failedKeysPerMinute: number;
  /** Addresses and networks of the proxies that are believed about a client's address. */
  readonly trustedProxies: readonly string[];
  /** Told of every verdict on a request with a key. */
  readonly onVerdict?: ((verdict: VerdictForKey) => void) | undefined;
  readonly extension?: HttpExtension | undefined;
  /** How many texts of batches may be with the model at once, all batches of a project together. */
  readonly batchConcurrency?: number;
  readonly logger: Exclude<FastifyServerOptions['logger'], boolean | undefined>;
  readonly version: string;
  /** Absent where tracing is off: then nothing of it runs. */
  readonly tracing?: Tracing | undefined;
  /** How long a request may take to arrive whole; for tests. */
  readonly requestTimeoutMs?: number;
  /** How long a request may take from its head to its answer. */
  readonly answerTimeoutMs: number;
}

export interface VerdictForKey {
  readonly key: VerifiedKey;
  readonly analysis: Analysis;
  readonly elapsedMs: number;
}

/** More routes on the same server, and how they are described. */
export interface HttpExtension {
  readonly api: ApiExtension;
  register(app: FastifyInstance): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
const BATCH_CONCURRENCY = 4;

/**
 * How long the refusal of a text for which there is no place waits. Somebody who tries again at once, over many connections, would else
 * take from the others the time of the one thread that reads all requests.
 */
const REFUSAL_PAUSE_MS = 500;

export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const app = Fastify({
    logger: {
      ...deps.logger,
      hooks: {
        // The framework's own errors have messages that quote the address of the request.
        logMethod(given, log) {
          const error = errorIn(given[0]);
          if (error === undefined) log.apply(this, given);
          else log.call(this, { fault: faultOf(error) }, 'error of the framework');
        },
      },
    },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: [...deps.trustedProxies],
    schemaController: NO_COMPILERS,
    serverFactory: (handle) => createNodeServer(handle, deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
    forceCloseConnections: 'idle',
    // Requests on open connections get our own 503 while stopping, see below.
    return503OnClosing: false,
    genReqId: requestIdOf,
    // node-server.ts has answered already.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    sendProblem(error, request, reply, errorFormatOf(request.url));
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): void =>
    sendNotFound(app, request, reply, errorFormatOf(request.url));
  app.setValidatorCompiler(validateWithZod);
  // Answers are built by our own typed code; JSON.stringify writes them faster than a parse by the schema would.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof ServiceError) || error.code !== 'queue_full') answerError(error, request, reply);
    else setTimeout(() => answerError(error, request, reply), REFUSAL_PAUSE_MS);
  });
  app.setNotFoundHandler(answerNotFound);
  app.decorateRequest('verifiedKey', null);
  acceptJsonOnly(app);
  const traces = deps.tracing && traceRequests(app, deps.tracing);

  // First: the hooks after it may answer.
  registerRequestLog(app, deps.metrics);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    const refusal = protocolRefusal(request, reply) ?? refusalWhileStopping(request, deps.isStopping());
    if (refusal !== undefined) done(refusal);
    // At once, because what the body is does not matter at a path or method that does not exist.
    else if (request.is404) answerNotFound(request, reply);
    else done();
  });
  // Fastify says "close" only to requests that come after the stop. The connections of those under way would stay open, and a stop
  // would wait for their clients.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (deps.isStopping()) void reply.header('connection', 'close');
    done(null, payload);
  });

  await registerApiDescription(app, deps.version, deps.extension?.api);
  registerFrontPage(app);
  const access: AuthOptions = {
    verifier: deps.verifier,
    rateLimit: createKeyRateLimit(deps.rateLimitPerMinute),
    failedKeyLimit: createFailedKeyLimit(deps.failedKeysPerMinute),
    onRefused: (reason) => deps.metrics.keyRefused(reason),
  };
  const judging = {
    authenticate: createAuthentication(access),
    analyzer: deps.analyzer,
    policyOf: ({ verifiedKey }: FastifyRequest) =>
      verifiedKey === null ? undefined : deps.policies.of(verifiedKey.projectId),
    answerTimeoutMs: deps.answerTimeoutMs,
    onAnalyzed: (analysis: Analysis, reply: FastifyReply, elapsedMs = reply.elapsedTime) => {
      const key = reply.request.verifiedKey;
      deps.metrics.analyzed(analysis, elapsedMs / 1000, key?.project);
      traces?.analyzed(reply.request, analysis);
      if (key !== null) deps.onVerdict?.({ key, analysis, elapsedMs });
    },
    onItemProblem: (code: ErrorCode) => deps.metrics.problem(code),
    rateLimit: access.rateLimit,
    turns: createTurns(deps.batchConcurrency ?? BATCH_CONCURRENCY),
  };
  registerAnalyzeRoute(app, judging);
  registerBatchRoute(app, judging);
  registerModerationsRoute(app, { ...judging, authenticate: createAuthentication(access, OPENAI_KEY) });
  registerPerspectiveRoutes(app, { ...judging, authenticate: createAuthentication(access, PERSPECTIVE_KEY) });
  app.withTypeProvider<ZodTypeProvider>().get(
    '/v1/health',
    {
      schema: {
        operationId: 'checkHealth',
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
  await deps.extension?.register(app);
  if (deps.metricsPublic) registerMetricsRoute(app, deps.metrics);
  return app;
}

/** A server of metrics alone, for a port that only the operator's network reaches. */
export function createMetricsServer(metrics: Metrics): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: NO_COMPILERS,
    genReqId: requestIdOf,
    serverFactory: (handle) => createNodeServer(handle, REQUEST_TIMEOUT_MS),
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      sendProblem(error, request, reply);
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done(protocolRefusal(request, reply));
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendNotFound(app, request, reply));
  registerMetricsRoute(app, metrics);
  return app;
}

function registerMetricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    void reply.type(metrics.registry.contentType);
    return reply.send(await metrics.registry.metrics());
  });
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
}

function protocolRefusal(request: FastifyRequest, reply: FastifyReply): ServiceError | undefined {
  const refusal = protocolProblem(request.raw);
  // Where its end is, is as doubtful as the rest.
  if (refusal !== undefined) void reply.header('connection', 'close');
  return refusal;
}

function refusalWhileStopping(request: FastifyRequest, isStopping: boolean): ServiceError | undefined {
  if (!isStopping || request.routeOptions.url === '/v1/health') return undefined;
  return new ServiceError('shutting_down', 'The service is shutting down. Try another replica.', {
    retryAfterSeconds: 1,
  });
}
