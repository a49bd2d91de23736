/** The composition root: wires keys, model and HTTP together and owns the life of the whole, from start to stop. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.js';
import { messageOf } from './errors.js';
import { asking } from './http/asking.js';
import { createHttpServer, createMetricsServer } from './http/http-server.js';
import { listen } from './http/connection/listen.js';
import { registerLimitMetrics } from './http/observability/limit-metrics.js';
import { createMetrics, registerStateMetrics } from './http/observability/metrics.js';
import type { Siblings } from './http/observability/metrics-page.js';
import { registerStoreMetrics } from './http/observability/store-metrics.js';
import { watchConnections } from './http/connection/open-connections.js';
import type { HealthStatus } from './http/routes/schemas.js';
import type { Classifier } from './inference/classifier.js';
import { keyStateAt } from './keys/key-record.js';
import { createKeyVerifier } from './keys/key-verifier.js';
import { createLogDestination, type LogStream } from './http/observability/log-destination.js';
import { createAnalyzer, type Analyzer } from './moderation/analyzer.js';
import { policyOfSettings } from './moderation/verdict-policy.js';
import { loadOpenTelemetry } from './http/observability/open-telemetry.js';
import { packageVersion } from './config/package-version.js';
import { createPoliciesInForce } from './policies/policies-in-force.js';
import { createReadingThread } from './reading/reading-thread.js';
import { createRecords } from './records.js';
import { openSharing } from './sharing/sharing.js';
import { openStore } from './storage/open-store.js';
import type { Store } from './storage/store.js';

/** What an entry point may have otherwise than `npm start`. */
export interface AppManner {
  readonly logTo?: LogStream;
  /** Whether to say at the start that there is no key. */
  readonly warnsOfNoKey?: boolean;
  /** Where it is one of several processes on its ports. */
  readonly siblings?: Siblings;
  /** Listens when it can answer. Others answer meanwhile. */
  readonly listensWhenReady?: boolean;
}

export interface App {
  readonly http: FastifyInstance;
  readonly store: Store;
  /** Whether there is a way to sign in to it. */
  readonly hasDashboard: boolean;
  /**
   * Listens first, unless told otherwise, so that health checks get an honest "starting", then waits for the model.
   *
   * @returns the address, once the service is healthy or was stopped
   * @throws OperatorError when the port, the key file or the model stands in the way
   */
  start(): Promise<string>;
  /** After SHUTDOWN_DELAY_SECONDS refuses new requests, answers the accepted ones, and frees everything. May be called twice. */
  stop(): Promise<void>;
  /** Gives up what is still unanswered, as soon as the process may end: it crashes if it ends while a worker computes. */
  abandon(): Promise<void>;
}

/** How often the time of last use of keys, and statistics, are written: never for each request. */
const USAGE_FLUSH_MS = 60_000;

/** How long a stop goes on listening, at most, to tell those who still come that it refuses them. */
const LONGEST_FAREWELL_MS = 1000;

/** How long a request that has begun may take to arrive whole when a stop has come. */
const UNFINISHED_REQUEST_MS = 5000;

/** How long a process that gives up tries to write what it has counted. */
const LAST_FLUSH_MS = 1000;

const NO_KEY =
  'there is no active key: every request for a verdict gets 401. Make one, at any time: npx parapet keys create --project NAME --name LABEL';

/** Said in its place while nobody can sign in to it. */
export const DASHBOARD_OFF = {
  path: '/dashboard',
  detail:
    'The dashboard is turned off. Set its password with "npx parapet admin set-password", then start the service anew.',
};

/** `leaving` still answers everybody, and tells balancers and connections to go elsewhere. */
type State = 'starting' | 'ready' | 'leaving' | 'stopping';

/** @param loading the model; closed with the app */
export async function createApp(
  config: Config,
  loading: Promise<Classifier>,
  { logTo = 'stdout', warnsOfNoKey = true, siblings, listensWhenReady = false }: AppManner = {},
): Promise<App> {
  let state: State = 'starting';
  let analyzer: Analyzer | undefined;
  let classifier: Classifier | undefined;
  let stopped: Promise<void> | undefined;
  let storeProblem: string | undefined;

  const metrics = createMetrics(() => analyzer, siblings);
  registerStateMetrics(metrics.registry, {
    version: packageVersion(),
    model: () => analyzer?.model,
    health,
    workers: config.inferenceThreads,
    maxQueue: config.maxQueue,
  });
  const store = await openStore(config, {
    onProblem: (problem, of) => http.log.warn({ problem }, of),
    ...(config.databaseUrl !== undefined && { onRefresh: registerStoreMetrics(metrics.registry) }),
  });
  const verifier = createKeyVerifier({
    keys: store.keys,
    onUse: (id, at) => store.usage.note(id, at),
    onProblem: (problem) => http.log.error({ problem }, 'keys'),
  });
  const policies = createPoliciesInForce({
    policies: store.policies,
    settings: config.verdictPolicy,
    onProblem: (problem) => http.log.error({ problem }, 'policies'),
  });
  const sharing = await openSharing({
    ...config,
    onProblem: (problem, of) => {
      const what = of === 'limits' ? 'rate limits are' : 'the cache is';
      if (problem === undefined) http.log.info(`${what} shared again`);
      else http.log.warn({ problem }, `${what} not shared: each server is alone`);
    },
  });
  registerLimitMetrics(metrics.registry, sharing.limits);
  const askingRecords = asking('records_unavailable', (problem) => http.log.error({ problem }, 'records'));
  const { capture, decisions, reviews, labels, ...records } = createRecords({
    sql: store.sql,
    config,
    policies,
    registry: metrics.registry,
    log: () => http.log,
  });
  const tracing =
    config.tracing &&
    (await loadOpenTelemetry({
      ...config.tracing,
      version: packageVersion(),
      onProblem: (problem) => http.log.warn({ problem }, 'tracing'),
    }));
  const passwordHash = config.adminPasswordHash ?? (await store.adminPassword.get());
  const hasDashboard = [passwordHash, config.signIn.oidc, config.signIn.header].some((way) => way !== undefined);
  // Loaded only where it is on.
  const dashboard = hasDashboard ? await import('./dashboard/dashboard.js') : undefined;
  const reading = createReadingThread();
  const http: FastifyInstance = await createHttpServer({
    readBody: reading.readBody,
    decisions: { decisions, asking: askingRecords },
    analyzer: () => analyzer,
    verifier,
    policies,
    health,
    isLeaving: () => state === 'leaving',
    isStopping,
    metrics,
    metricsPublic: config.metrics === 'public',
    rateLimitPerMinute: config.rateLimitPerMinute,
    createCounter: sharing.createCounter,
    failedKeysPerMinute: config.failedKeysPerMinute,
    trustedProxies: config.trustedProxies,
    reviews: { reviews, cipher: records.cipher, asking: askingRecords },
    suggestions: records.cipher && { labels, asking: askingRecords },
    onVerdict: (answered) => {
      store.statistics.note(answered);
      return capture.note(answered);
    },
    onRefusal: (refusal) => store.statistics.refuse(refusal),
    extension: dashboard?.createDashboard({
      passwordHash,
      signInSettings: config.signIn,
      trustedProxies: config.trustedProxies,
      store,
      policies,
      settings: config.verdictPolicy,
      reading,
      decisions,
      reviews,
      labels,
      webhooks: records.webhooks,
      cipher: records.cipher,
      attempts: sharing.createCounter('sign-in'),
      onProblem: (problem) => http.log.error({ problem }, 'dashboard'),
    }),
    absent: hasDashboard ? undefined : DASHBOARD_OFF,
    logger: { level: config.logLevel, stream: createLogDestination(logTo, siblings !== undefined) },
    answerTimeoutMs: config.answerTimeoutMs,
    // Every worker is kept busy, and a text of its own request waits behind one of a batch at most.
    batchConcurrency: config.inferenceThreads + Math.min(config.inferenceThreads, config.maxQueue),
    version: packageVersion(),
    tracing,
  });
  const metricsHttp = typeof config.metrics === 'number' ? createMetricsServer(metrics) : undefined;
  const connections = watchConnections(http.server);
  const metricsConnections = metricsHttp && watchConnections(metricsHttp.server);

  /** @returns the address of the service */
  async function listenOnPorts(): Promise<string> {
    const address = await listen(http, config.host, config.port, 'PORT');
    if (metricsHttp !== undefined && typeof config.metrics === 'number') {
      await listen(metricsHttp, config.host, config.metrics, 'METRICS');
    }
    return address;
  }

  async function closeClassifier(how: 'answer' | 'abandon'): Promise<void> {
    const loaded = await loading.catch(() => undefined);
    await loaded?.close(how);
  }

  function isStopping(): boolean {
    return state === 'stopping';
  }

  function health(): HealthStatus {
    if (state === 'starting') return 'starting';
    const isAble = state === 'ready' && isStoreReadable() && classifier?.isAnswering() === true;
    return isAble ? 'healthy' : 'unhealthy';
  }

  /** For the log every new reason once. */
  function isStoreReadable(): boolean {
    try {
      store.check();
      storeProblem = undefined;
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== storeProblem) http.log.error({ problem }, 'store');
      storeProblem = problem;
    }
    return storeProblem === undefined;
  }

  function flush(): Promise<unknown> {
    return Promise.all([store.usage.flush(), store.statistics.flush(), capture.flush()]);
  }

  const usageTimer = setInterval(() => {
    void flush();
  }, USAGE_FLUSH_MS).unref();

  return {
    http,
    store,
    hasDashboard,
    async start() {
      const now = new Date();
      const activeKeys = (await store.keys.list()).filter((key) => keyStateAt(key, now) === 'active').length;
      // Throws what is wrong with them.
      store.check();
      sharing.connect();
      const early = listensWhenReady ? undefined : await listenOnPorts();
      if (activeKeys === 0 && warnsOfNoKey) http.log.warn({ store: store.location }, NO_KEY);
      classifier = await loading;
      if (isStopping()) return early ?? '';
      analyzer = createAnalyzer({
        classifier,
        policy: policyOfSettings(config.verdictPolicy),
        cacheMaxEntries: config.cacheMaxEntries,
        shared: sharing.probabilities,
      });
      // The warm-up text must come all the way through before anybody is told "healthy": with spans no other server knows it.
      await analyzer.analyze('Parapet is ready.', { spans: true });
      if (state === 'starting') state = 'ready';
      records.start();
      const address = early ?? (await listenOnPorts());
      http.log.info({ address, model: analyzer.model, threads: config.inferenceThreads }, 'ready');
      return address;
    },
    stop() {
      stopped ??= (async () => {
        if (state === 'ready' && config.shutdownDelayMs > 0) {
          state = 'leaving';
          await setTimeout(config.shutdownDelayMs);
        }
        state = 'stopping';
        clearInterval(usageTimer);
        await records.stop();
        await connections.untilQuiet(LONGEST_FAREWELL_MS);
        connections.endUnfinished(UNFINISHED_REQUEST_MS);
        await http.close();
        const metricsClosed = metricsHttp?.close();
        metricsConnections?.endUnfinished(0);
        await metricsClosed;
        await reading.close();
        await closeClassifier('answer');
        await tracing?.close();
        await capture.close();
        await Promise.all([store.close(), sharing.close()]);
      })();
      return stopped;
    },
    async abandon() {
      // What was counted since the last flush, unless that takes too long as well.
      await Promise.race([Promise.all([flush(), capture.flush()]), setTimeout(LAST_FLUSH_MS)]);
      await closeClassifier('abandon');
    },
  };
}
