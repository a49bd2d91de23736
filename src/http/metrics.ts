/** Prometheus metrics of the service. Labels are of bounded sets: no text, key or address ever becomes one. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Analysis, AnalyzerStats } from '../moderation/analyzer.js';

export interface Metrics {
  readonly registry: Registry;
  requestDone(method: string, route: string, status: number, seconds: number): void;
  analyzed(analysis: Analysis): void;
  keyRefused(reason: string): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

// The event loop's lag is measured as the time between two ticks of a timer, so this much of it is not lag.
const EVENT_LOOP_SAMPLE_MS = 5;

export function createMetrics(stats: () => AnalyzerStats | undefined): Metrics {
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
    help: 'Time of a judged text in each stage: queue, tokenize, infer.',
    labelNames: ['stage'],
    buckets: SECONDS,
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
  const gauge = (name: string, help: string, read: (current: AnalyzerStats) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const current = stats();
        if (current !== undefined) this.set(read(current));
      },
    });
  };
  gauge('parapet_queue_waiting', 'Texts that wait for a worker.', (current) => current.waiting);
  gauge('parapet_cache_entries', 'Verdicts in the cache.', (current) => current.cacheEntries);
  gauge('parapet_cache_hits', 'Texts answered from the cache since the start.', (current) => current.cacheHits);
  gauge('parapet_cache_misses', 'Texts that had to be judged since the start.', (current) => current.cacheMisses);
  gauge('parapet_worker_restarts', 'Worker threads that died and were replaced.', (current) => current.workerRestarts);

  return {
    registry,
    requestDone(method, route, status, seconds) {
      requests.observe({ method, route, status }, seconds);
    },
    analyzed({ verdict, cached, timings }) {
      verdicts.inc({ band: verdict.band, passed: String(verdict.passed), cached: String(cached) });
      for (const category of verdict.categories) categories.inc({ category });
      if (timings === undefined) return;
      stages.observe({ stage: 'queue' }, timings.queueMs / 1000);
      stages.observe({ stage: 'tokenize' }, timings.tokenizeMs / 1000);
      stages.observe({ stage: 'infer' }, timings.inferMs / 1000);
    },
    keyRefused(reason) {
      refusals.inc({ reason });
    },
  };
}
