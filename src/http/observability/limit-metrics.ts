/** Whether limits hold over all servers. */
import { Counter, Gauge, type Registry } from 'prom-client';

export function registerLimitMetrics(registry: Registry, limits: { isAway(): boolean; countedAlone(): number }): void {
  const registers = [registry];
  new Gauge({
    name: 'parapet_shared_limits_away',
    help: '1 while what counts the requests of all servers does not answer and each server counts alone, else 0.',
    registers,
    collect() {
      this.set(limits.isAway() ? 1 : 0);
    },
  });
  new Counter({
    name: 'parapet_limits_counted_alone_total',
    help: 'Requests that were counted by this process alone, because what counts for all did not answer.',
    registers,
    collect() {
      this.reset();
      this.inc(limits.countedAlone());
    },
  });
}
