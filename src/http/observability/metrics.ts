/** Prometheus metrics of the service. Labels are of bounded sets: no text, key or address ever becomes one. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_TABLE, type ErrorCode } from '../../errors.js';
import type { Analysis, Analyzer, AnalyzerStats } from '../../moderation/analyzer.js';
import { CATEGORIES } from '../../moderation/categories.js';
import { OTHER_LANGUAGE } from '../../moderation/pooling.js';
import { BANDS } from '../../moderation/verdict.js';
import { HEALTH_STATUSES, type HealthStatus } from '../routes/schemas.js';
import { metricsPage, type Siblings } from './metrics-page.js';
import { createProjectVerdicts } from './project-metrics.js';

export interface Metrics {
  readonly registry: Registry;
  /** What GET /metrics answers. */
  page(): Promise<string>;
  requestDone(method: string, route: string, status: number, seconds: number): void;
  /**
   * @param elapsedSeconds from the receipt of the request to the verdict
   * @param project the name of that of the key
   */
  analyzed(analysis: Analysis, elapsedSeconds: number, project?: string): void;
  keyRefused(reason: string): void;
  problem(code: ErrorCode): void;
}

/** Narrow where the service answers on a free machine, 2 to 20 ms, and wide up to the time limit of a request. */
const SECONDS = [
  0.001, 0.002, 0.003, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

const REFUSAL_REASONS = ['missing', 'malformed', 'unknown', 'revoked', 'expired', 'wrong_signature', 'unavailable'];

/** Sequences of a text: one of 10,000 characters has about 25. */
const SEQUENCES = [1, 2, 4, 8, 16, 32, 64];

/** Node's parser lets through some forty methods; a stranger must not make a series of each. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

// The event loop's lag is measured as the time between two ticks of a timer, so this much of it is not lag.
const EVENT_LOOP_SAMPLE_MS = 5;

/** @param analyzer undefined until the model is loaded */
export function createMetrics(
  analyzer: () => Pick<Analyzer, 'languages' | 'stats'> | undefined,
  siblings?: Siblings,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  const registers = [registry];
  const requests = new Histogram({
    name: 'parapet_http_request_duration_seconds',
    help: 'Time from the receipt of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const stages = new Histogram({
    name: 'parapet_stage_duration_seconds',
    help: 'Time of a judged text in each stage: queue, tokenize, infer (all workers together), and rest, which is all else up to the verdict.',
    labelNames: ['stage'],
    buckets: SECONDS,
    registers,
  });
  const sequencesRead = new Histogram({
    name: 'parapet_text_windows',
    help: 'Windows of a judged text: what its judgement costs.',
    buckets: SEQUENCES,
    registers,
  });
  const problems = new Counter({
    name: 'parapet_problems_total',
    help: 'Requests, and single texts of batches, that were answered with an error, by the code in docs/errors.md.',
    labelNames: ['code'],
    registers,
  });
  const verdicts = new Counter({
    name: 'parapet_verdicts_total',
    help: 'Verdicts by band and outcome.',
    labelNames: ['band', 'passed', 'cached'],
    registers,
  });
  const categories = new Counter({
    name: 'parapet_categories_total',
    help: 'Detected categories.',
    labelNames: ['category'],
    registers,
  });
  const refusals = new Counter({
    name: 'parapet_key_refusals_total',
    help: 'Requests refused for their API key, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const languages = new Counter({
    name: 'parapet_languages_total',
    help: 'Verdicts by the likeliest language of the text. None where the model knows one language.',
    labelNames: ['language'],
    registers,
    collect() {
      const known = analyzer()?.languages ?? [];
      for (const language of known.length > 1 ? [...known, OTHER_LANGUAGE] : []) this.inc({ language }, 0);
    },
  });
  registerStats(registry, () => analyzer()?.stats());
  const projects = createProjectVerdicts(registry);

  // Prometheus sees an increase only between two scrapes: a series that begins at 1 hides the first event.
  for (const code of Object.keys(ERROR_TABLE)) problems.inc({ code }, 0);
  for (const category of CATEGORIES) categories.inc({ category }, 0);
  for (const reason of REFUSAL_REASONS) refusals.inc({ reason }, 0);
  for (const band of BANDS) {
    for (const passed of ['true', 'false']) {
      for (const cached of ['true', 'false']) verdicts.inc({ band, passed, cached }, 0);
    }
  }

  return {
    registry,
    page: metricsPage(registry, siblings),
    requestDone(method, route, status, seconds) {
      requests.observe({ method: METHODS.has(method) ? method : 'other', route, status }, seconds);
    },
    analyzed({ verdict, probabilities: { language }, cached, timings, sequences }, elapsedSeconds, project) {
      if (project !== undefined) projects.note(project, verdict);
      verdicts.inc({ band: verdict.band, passed: String(verdict.passed), cached: String(cached) });
      for (const category of verdict.categories) categories.inc({ category });
      if (language !== undefined) languages.inc({ language: language.tag });
      if (timings === undefined) return;
      sequencesRead.observe(sequences);
      stages.observe({ stage: 'queue' }, timings.queueMs / 1000);
      stages.observe({ stage: 'tokenize' }, timings.tokenizeMs / 1000);
      stages.observe({ stage: 'infer' }, timings.inferMs / 1000);
      const restSeconds = elapsedSeconds - (timings.queueMs + timings.tokenizeMs + timings.inferMs) / 1000;
      // Where workers computed side by side, their times together exceed what passed, and nothing can be said of the rest.
      if (restSeconds >= 0) stages.observe({ stage: 'rest' }, restSeconds);
    },
    keyRefused(reason) {
      refusals.inc({ reason });
    },
    problem(code) {
      problems.inc({ code });
    },
  };
}

/** What the analyzer counts itself, read when somebody asks. 0 until the model is loaded. */
function registerStats(registry: Registry, stats: () => AnalyzerStats | undefined): void {
  const registers = [registry];
  const gauge = (name: string, help: string, member: keyof AnalyzerStats): unknown =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(stats()?.[member] ?? 0);
      },
    });
  const counter = (name: string, help: string, member: keyof AnalyzerStats): unknown =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(stats()?.[member] ?? 0);
      },
    });
  gauge('parapet_queue_waiting', 'Texts that wait for a worker.', 'waiting');
  gauge('parapet_cache_entries', 'Verdicts in the cache.', 'cacheEntries');
  counter('parapet_cache_hits_total', 'Texts answered from the cache.', 'cacheHits');
  counter('parapet_shared_cache_hits_total', 'Of these, texts that another server had judged.', 'sharedCacheHits');
  counter('parapet_cache_misses_total', 'Texts that had to be judged.', 'cacheMisses');
  counter('parapet_worker_restarts_total', 'Worker threads that died and were replaced.', 'workerRestarts');
}

/** Gauges of what the service is and how it is: version, model, limits, health. For dashboards and alerts. */
export interface ServiceState {
  readonly version: string;
  /** Model and version, as in `id@version`; `undefined` until it is loaded. */
  readonly model: () => string | undefined;
  readonly health: () => HealthStatus;
  readonly workers: number;
  /** Texts that may wait for a worker. */
  readonly maxQueue: number;
}

export function registerStateMetrics(registry: Registry, state: ServiceState): void {
  const registers = [registry];
  new Gauge({
    name: 'parapet_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'model'],
    registers,
    collect() {
      this.reset();
      this.set({ version: state.version, model: state.model() ?? 'none' }, 1);
    },
  });
  new Gauge({
    name: 'parapet_health',
    help: '1 for the status that GET /v1/health reports, 0 for the others.',
    labelNames: ['status'],
    registers,
    collect() {
      const current = state.health();
      for (const status of HEALTH_STATUSES) this.set({ status }, status === current ? 1 : 0);
    },
  });
  new Gauge({ name: 'parapet_workers', help: 'Worker threads (INFERENCE_THREADS).', registers }).set(state.workers);
  new Gauge({ name: 'parapet_queue_limit', help: 'Texts that may wait (MAX_QUEUE).', registers }).set(state.maxQueue);
}
