/** The HTTP side as it runs, on a real key file and a fake analyzer, with everything that it logs kept for inspection. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { asking } from '../../src/http/asking.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createMetrics } from '../../src/http/observability/metrics.js';
import type { HealthStatus } from '../../src/http/routes/schemas.js';
import type { KeyRequest } from '../../src/keys/key-record.js';
import type { CreatedKey, KeyRepository } from '../../src/keys/key-repository.js';
import { createKeyVerifier } from '../../src/keys/key-verifier.js';
import type { Analyzer } from '../../src/moderation/analyzer.js';
import type { PolicySettings } from '../../src/moderation/verdict-policy.js';
import { createPoliciesInForce } from '../../src/policies/policies-in-force.js';
import { createRecords } from '../../src/records.js';
import { createDashboard, type DashboardDeps } from '../../src/dashboard/dashboard.js';
import { type AdminPasswordHash, hashAdminPassword } from '../../src/admin-password.js';
import { DASHBOARD_OFF } from '../../src/app.js';
import { createReadingThread } from '../../src/reading/reading-thread.js';
import type { SqlDatabase } from '../../src/storage/sql/sql-database.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { builtUrl } from './built.js';
import { SETTINGS } from './settings.js';
import { collectingStream } from './command-outcome.js';
import { createFakeAnalyzer } from './fake-analyzer.js';

export interface HttpServiceOptions {
  /** `null`: the model is not loaded yet. */
  analyzer?: Analyzer | null;
  health?: HealthStatus;
  isStopping?: () => boolean;
  /** Those of the service where it is not here. */
  settings?: PolicySettings;
  metricsPublic?: boolean;
  rateLimitPerMinute?: number;
  failedKeysPerMinute?: number;
  trustedProxies?: readonly string[];
  requestTimeoutMs?: number;
  answerTimeoutMs?: number;
  /** The verifier's clock: the time at which a key counts as expired. */
  now?: () => Date;
  /** That encrypt texts. */
  decisionKeys?: readonly Buffer[];
  /** Of a server that shares its folder with this one; one of its own where it is not here. */
  keysFile?: string;
  /** Of the thread that reads long policies. */
  policyWorkerUrl?: URL;
  /** Off unless it is here; the password is ADMIN_PASSWORD. */
  dashboard?: Partial<DashboardDeps>;
  /** Told of every route of the dashboard. */
  onDashboardRoute?: (route: RouteOptions) => void;
}

/** Made here, so that no scanner takes it for somebody's. */
export const ADMIN_PASSWORD = ['correct', 'horse', 'battery'].join(' ');
/** In to the dashboard than by password. */
const NO_OTHER_WAY = { publicUrl: undefined, oidc: undefined, header: undefined, signOutUrl: undefined };
let passwordHash: Promise<AdminPasswordHash> | undefined;

export interface HttpService {
  readonly app: FastifyInstance;
  readonly key: string;
  readonly record: CreatedKey['record'];
  readonly keysFile: string;
  /** Another store than any that the server knows of, as the `keys` command would open it. */
  readonly store: KeyRepository;
  /** What the server keeps of people and decisions. */
  readonly records: SqlDatabase;
  /** Once all decisions so far are in the store. */
  readonly decisionsKept: () => Promise<void>;
  /** Every line logged so far, from `trace` on. */
  readonly log: () => string;
  readonly metricsText: () => Promise<string>;
  readonly createKey: (request?: Partial<KeyRequest>) => Promise<CreatedKey>;
  /** POST /v1/analyze with a valid key; what is given replaces or joins it. An object body is sent as JSON. */
  readonly analyze: (body: unknown, request?: InjectOptions) => Promise<LightMyRequestResponse>;
  /** Listens on a free port of this machine. */
  readonly listen: () => Promise<number>;
}

const KEY_REQUEST: KeyRequest = {
  project: 'shop',
  name: 'backend',
  environment: 'live',
  expiresInMs: null,
  rateLimitPerMinute: null,
};

export async function createHttpService(options: HttpServiceOptions = {}): Promise<HttpService> {
  const { keysFile = freshKeysFile() } = options;
  const store = openFileStore(keysFile).keys;
  const { key, record } = await store.create(KEY_REQUEST);
  const served = openFileStore(keysFile, {
    now: options.now,
    policyWorkerUrl: options.policyWorkerUrl ?? builtUrl('storage/policy-worker.js'),
  });
  const verifier = createKeyVerifier({
    keys: served.keys,
    onUse: (id, at) => served.usage.note(id, at),
    ...(options.now && { now: options.now }),
  });
  const analyzer = options.analyzer === undefined ? createFakeAnalyzer() : (options.analyzer ?? undefined);
  const metrics = createMetrics(() => analyzer);
  const { settings = SETTINGS } = options;
  const policies = createPoliciesInForce({ policies: served.policies, settings });
  const { capture, decisions, reviews, labels, webhooks, cipher } = createRecords({
    sql: served.sql,
    config: { decisionKeys: options.decisionKeys ?? [], webhookNetworks: [] },
    policies,
    registry: metrics.registry,
    log: () => app.log,
    now: options.now,
  });
  const askingRecords = asking('records_unavailable', () => undefined);
  const { stream, lines } = collectingStream();
  const reading = createReadingThread({ workerUrl: builtUrl('reading/worker.js') });
  const dashboard =
    options.dashboard &&
    createDashboard({
      passwordHash: await adminPasswordHash(),
      signInSettings: NO_OTHER_WAY,
      trustedProxies: options.trustedProxies ?? [],
      store: served,
      policies,
      settings,
      reading,
      decisions,
      reviews,
      labels,
      webhooks,
      cipher,
      pageFolder: builtUrl('dashboard/page/'),
      ...(options.now && { now: options.now }),
      ...options.dashboard,
    });
  const app: FastifyInstance = await createHttpServer({
    readBody: reading.readBody,
    decisions: { decisions, asking: askingRecords },
    analyzer: () => analyzer,
    verifier,
    policies,
    health: () => options.health ?? 'healthy',
    isStopping: options.isStopping ?? (() => false),
    metrics,
    metricsPublic: options.metricsPublic ?? false,
    rateLimitPerMinute: options.rateLimitPerMinute ?? 0,
    failedKeysPerMinute: options.failedKeysPerMinute ?? 0,
    trustedProxies: options.trustedProxies ?? [],
    onVerdict: (answered) => {
      served.statistics.note(answered);
      return capture.note(answered);
    },
    onRefusal: (refusal) => served.statistics.refuse(refusal),
    batchConcurrency: 4,
    reviews: { reviews, cipher, asking: askingRecords },
    suggestions: cipher && { labels, asking: askingRecords },
    extension: dashboard && {
      ...dashboard,
      async register(instance, context) {
        if (options.onDashboardRoute !== undefined) instance.addHook('onRoute', options.onDashboardRoute);
        await dashboard.register(instance, context);
      },
    },
    absent: options.dashboard === undefined ? DASHBOARD_OFF : undefined,
    logger: { level: 'trace', stream },
    version: '0.0.0-test',
    answerTimeoutMs: options.answerTimeoutMs ?? 60_000,
    ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
  });
  // Before the folder goes: the last use of keys may still be written.
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
    await capture.close();
    await served.close();
    await reading.close();
  });

  return {
    app,
    key,
    record,
    keysFile,
    store,
    records: served.sql,
    decisionsKept: () => capture.flush(),
    log: () => lines.join(''),
    metricsText: () => metrics.registry.metrics(),
    createKey: (request) => store.create({ ...KEY_REQUEST, ...request }),
    analyze(body, { headers, ...request } = {}) {
      return app.inject({
        method: 'POST',
        url: '/v1/analyze',
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        ...request,
      });
    },
    async listen() {
      await app.listen({ host: '127.0.0.1', port: 0 });
      return (app.server.address() as AddressInfo).port;
    },
  };
}

function freshKeysFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-http-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'keys.json');
}

/** As cheap as is accepted: hundreds of tests sign in. */
export function adminPasswordHash(): Promise<AdminPasswordHash> {
  return (passwordHash ??= hashAdminPassword(ADMIN_PASSWORD, { log2N: 14, blockSize: 8, parallelism: 1 }));
}
