/** Assembles the HTTP side: hooks, routes, error answers, API description. Wires nothing that is not HTTP. */
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { ServiceError, faultOf } from '../errors.js';
import { registerApiDescription, type ApiExtension } from './api-description.js';
import { acceptJsonOnly, type ReadBody } from './body/json-body.js';
import { NO_COMPILERS, validateWithZod } from './body/validation.js';
import { OPENAI_ERRORS } from './compat/openai-error.js';
import { registerModerationsRoute } from './compat/openai-route.js';
import { PERSPECTIVE_ERRORS } from './compat/perspective-error.js';
import { registerPerspectiveRoutes, type SuggestionDeps } from './compat/perspective-route.js';
import { registerGuardrails } from './compat/guardrails/guardrails.js';
import { guardrailErrorsAt } from './compat/guardrails/guardrail-errors.js';
import { createNodeServer, protocolProblem, SECURITY_HEADERS, requestIdOf } from './connection/node-server.js';
import type { Metrics } from './observability/metrics.js';
import { registerRequestLog } from './observability/request-log.js';
import { traceRequests, type Tracing } from './observability/tracing.js';
import { pathOf, sendNotFound, sendProblem, type AbsentPart, type ErrorFormat } from './problem.js';
import { registerAnalyzeRoute } from './routes/analyze-route.js';
import { registerBatchRoute } from './routes/batch-route.js';
import { registerDecisionRoutes, type DecisionRoutesDeps } from './routes/decision-routes.js';
import { registerFrontPage, type FrontPageLink } from './routes/pages.js';
import { PROBES, registerHealthRoutes } from './routes/health-route.js';
import { registerReviewRoutes, type ReviewRoutesDeps } from './routes/review-routes.js';
import { createRouteContext, type RouteContext, type RouteContextDeps } from './routes/route-context.js';
import { MAX_BODY_BYTES, type HealthStatus } from './routes/schemas.js';

export interface HttpServerDeps extends RouteContextDeps {
  readonly health: () => HealthStatus;
  readonly readBody: ReadBody;
  readonly decisions: DecisionRoutesDeps;
  /** True while a stop waits for balancers to turn elsewhere: every answer ends its connection. */
  readonly isLeaving?: () => boolean;
  /** True once the service stops: requests that begin after it are refused. */
  readonly isStopping: () => boolean;
  readonly metricsPublic: boolean;
  /** Addresses and networks of the proxies that are believed about a client's address. */
  readonly trustedProxies: readonly string[];
  readonly reviews: ReviewRoutesDeps;
  /** Absent: no text is kept, and so no suggestion. */
  readonly suggestions?: SuggestionDeps | undefined;
  readonly extension?: HttpExtension | undefined;
  /** What is turned off. */
  readonly absent?: AbsentPart | undefined;
  readonly logger: Exclude<FastifyServerOptions['logger'], boolean | undefined>;
  readonly version: string;
  /** Absent where tracing is off: then nothing of it runs. */
  readonly tracing?: Tracing | undefined;
  /** How long a request may take to arrive whole; for tests. */
  readonly requestTimeoutMs?: number;
}

/** More routes on the same server, and how they are described. */
export interface HttpExtension {
  readonly api: ApiExtension;
  readonly link: FrontPageLink;
  register(app: FastifyInstance, context: RouteContext): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;

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
    sendNotFound(app, request, reply, errorFormatOf(request.url), deps.absent);
  app.setValidatorCompiler(validateWithZod);
  // Answers are built by our own typed code; JSON.stringify writes them faster than a parse by the schema would.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof ServiceError) || error.code !== 'queue_full') answerError(error, request, reply);
    else setTimeout(() => answerError(error, request, reply), REFUSAL_PAUSE_MS);
  });
  app.setNotFoundHandler(answerNotFound);
  app.decorateRequest('verifiedKey', null);
  acceptJsonOnly(app, deps.readBody);
  const traces = deps.tracing && traceRequests(app, deps.tracing);

  // First: the hooks after it may answer.
  registerRequestLog(app, deps);
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
    if (deps.isStopping() || deps.isLeaving?.() === true) void reply.header('connection', 'close');
    done(null, payload);
  });

  await registerApiDescription(app, deps.version, deps.extension?.api);
  registerFrontPage(app, deps.extension?.link);
  const context = createRouteContext(deps, traces);
  registerAnalyzeRoute(app, context);
  registerBatchRoute(app, context);
  registerDecisionRoutes(app, context, deps.decisions);
  registerModerationsRoute(app, context);
  registerPerspectiveRoutes(app, context, deps.suggestions);
  registerGuardrails(app, context);
  registerReviewRoutes(app, context, deps.reviews);
  registerHealthRoutes(app, deps.health);
  await deps.extension?.register(app, context);
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
    return reply.send(await metrics.page());
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
  if (!isStopping || PROBES.has(request.routeOptions.url ?? '')) return undefined;
  return new ServiceError('shutting_down', 'The service is shutting down. Try another replica.', {
    retryAfterSeconds: 1,
  });
}

/** Which paths answer errors in another API's shape, so that the clients of that API understand them. All others: problem details. */
function errorFormatOf(url: string): ErrorFormat | undefined {
  const path = pathOf(url);
  if (path === '/v1/moderations' || path.startsWith('/v1/moderations/')) return OPENAI_ERRORS;
  if (path.startsWith('/v1alpha1/') || path.startsWith('/$discovery/')) return PERSPECTIVE_ERRORS;
  return guardrailErrorsAt(path);
}

/** The error in the first argument of a call of the logger, alone or as `err`. */
function errorIn(logged: unknown): Error | undefined {
  if (logged instanceof Error) return logged;
  if (typeof logged !== 'object' || logged === null || !('err' in logged)) return undefined;
  return logged.err instanceof Error ? logged.err : undefined;
}
