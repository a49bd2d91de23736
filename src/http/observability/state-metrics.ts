/** Gauges of what the service is and how it is: version, model, limits, health. For dashboards and alerts. */
import { Gauge, type Registry } from 'prom-client';
import { HEALTH_STATUSES, type HealthStatus } from '../routes/schemas.js';

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
