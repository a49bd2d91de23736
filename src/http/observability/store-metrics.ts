/** Metrics of the database in which everything is kept, where there is one. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Around one round trip to a database near by, and up to the deadline. */
const SECONDS = [0.0001, 0.0002, 0.0003, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1];

/** @returns to be told of each look for changes: how long it took, and whether it was answered */
export function registerStoreMetrics(
  registry: Registry,
  nowMs: () => number = Date.now,
): (seconds: number, answered: boolean) => void {
  const registers = [registry];
  let isUp = false;
  let answeredAtMs = nowMs();
  const durations = new Histogram({
    name: 'parapet_store_refresh_duration_seconds',
    help: 'Time of each look for changes in the database that was answered. Requests of one moment share one.',
    buckets: SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'parapet_store_refresh_failures_total',
    help: 'Looks for changes in the database that were not answered.',
    registers,
  });
  new Gauge({
    name: 'parapet_store_up',
    help: '1 while the database answers, else 0: then what is known of keys and policies counts for STORE_GRACE_SECONDS.',
    registers,
    collect() {
      this.set(isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'parapet_store_age_seconds',
    help: 'Time since the database last answered: how old what is known of keys and policies may be.',
    registers,
    collect() {
      this.set((nowMs() - answeredAtMs) / 1000);
    },
  });
  return (seconds, answered) => {
    isUp = answered;
    if (answered) {
      answeredAtMs = nowMs();
      durations.observe(seconds);
    } else failures.inc();
  };
}
