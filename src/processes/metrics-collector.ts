/** In the supervisor: hands the metrics of all processes to the one that is asked for them. Does not look into them. */
import type { Worker } from 'node:cluster';
import type { FromSupervisor, MetricsOfOne, ToSupervisor } from './messages.js';

export interface MetricsCollector {
  /** Waits no longer for one that died. */
  forget(worker: Worker): void;
  receive(from: Worker, message: ToSupervisor): void;
}

/** Whoever has not told its metrics by then is left out: less than Prometheus waits. */
const LONGEST_MS = 2000;

interface Collection {
  readonly waitingFor: Set<Worker>;
  readonly metrics: MetricsOfOne[];
  readonly finish: () => void;
}

/** @param workers those that are asked, at each time */
export function createMetricsCollector(workers: ReadonlySet<Worker>): MetricsCollector {
  const open = new Map<number, Collection>();
  let requests = 0;

  function send(to: Worker, message: FromSupervisor): void {
    if (to.isConnected()) to.send(message);
  }

  function collectFor(asking: Worker, request: number): void {
    const own = (requests += 1);
    const metrics: MetricsOfOne[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      if (open.delete(own)) send(asking, { kind: 'collected', request, metrics });
    };
    const timer = setTimeout(finish, LONGEST_MS);
    const waitingFor = new Set([...workers].filter((worker) => worker !== asking));
    open.set(own, { waitingFor, metrics, finish });
    for (const worker of waitingFor) send(worker, { kind: 'tell metrics', request: own });
    if (waitingFor.size === 0) finish();
  }

  function waitNoLonger(collection: Collection, worker: Worker): void {
    if (collection.waitingFor.delete(worker) && collection.waitingFor.size === 0) collection.finish();
  }

  return {
    forget(worker) {
      for (const collection of open.values()) waitNoLonger(collection, worker);
    },
    receive(from, message) {
      if (message.kind === 'collect') collectFor(from, message.request);
      else if (message.kind === 'metrics') {
        const collection = open.get(message.request);
        collection?.metrics.push(message.metrics);
        if (collection !== undefined) waitNoLonger(collection, from);
      }
    },
  };
}
