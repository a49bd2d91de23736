/** What GET /metrics answers: the metrics of this process, or of all that share its port, told apart by a label. */
import { AggregatorRegistry, type Registry } from 'prom-client';

type MetricsOfOne = readonly object[];

/** The other processes on the port of this one. */
export interface Siblings {
  /** Which of them this one is; the value of the label `process`. */
  readonly place: string;
  tellMetrics(metrics: () => Promise<MetricsOfOne>): void;
  metricsOfOthers(): Promise<readonly MetricsOfOne[]>;
}

/**
 * Sums would be wrong: when a process dies, the sum of its counter and another's becomes less, which Prometheus takes for a restart of both, and
 * counts all of the other's again.
 */
export function metricsPage(registry: Registry, siblings: Siblings | undefined): () => Promise<string> {
  if (siblings === undefined) return () => registry.metrics();
  registry.setDefaultLabels({ process: siblings.place });
  const own = (): Promise<MetricsOfOne> => registry.getMetricsAsJSON();
  siblings.tellMetrics(own);
  return async () => {
    const all = await Promise.all([own(), siblings.metricsOfOthers()]);
    // Every series is there once, so nothing is added up or left out.
    const each = [all[0], ...all[1]].map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'first' })));
    return AggregatorRegistry.aggregate(each).metrics();
  };
}
