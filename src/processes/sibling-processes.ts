/** In a service process that a supervisor started: its place among those that share the port, and what it tells them. */
import cluster from 'node:cluster';
import process from 'node:process';
import type { FromSupervisor, MetricsOfOne, ToSupervisor } from './messages.js';

export interface SiblingProcesses {
  /** From 1 on; whoever takes the place of one that died has its number. */
  readonly place: string;
  /** False for the first of all, which lets probes see the start. */
  readonly listensWhenReady: boolean;
  /** Tells the supervisor that this process takes requests. */
  ready(): void;
  /** What to tell when another is asked for the metrics of all. */
  tellMetrics(metrics: () => Promise<MetricsOfOne>): void;
  /** Of all others that are ready and answer within two seconds. */
  metricsOfOthers(): Promise<readonly MetricsOfOne[]>;
}

/** @returns undefined in a process that was started alone */
export function siblingProcesses(): SiblingProcesses | undefined {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const [, , place = '1', listens] = process.argv;
  const waiting = new Map<number, (metrics: readonly MetricsOfOne[]) => void>();
  let requests = 0;
  let own: () => Promise<MetricsOfOne> = () => Promise.resolve([]);
  const send = (message: ToSupervisor): unknown => worker.isConnected() && worker.send(message);

  // Others send messages as well.
  process.on('message', (message: FromSupervisor | { readonly kind?: undefined }) => {
    if (message.kind === 'collected') {
      waiting.get(message.request)?.(message.metrics);
      waiting.delete(message.request);
    } else if (message.kind === 'tell metrics') {
      const { request } = message;
      void own().then((metrics) => send({ kind: 'metrics', request, metrics }));
    }
  });
  // Before Node's own listener, which would end the process in the middle of its requests. Whoever the supervisor was, it is dead.
  process.prependListener('disconnect', () => {
    worker.exitedAfterDisconnect = true;
    process.kill(process.pid, 'SIGTERM');
  });

  return {
    place,
    listensWhenReady: listens === 'when ready',
    ready: () => send({ kind: 'ready' }),
    tellMetrics(metrics) {
      own = metrics;
    },
    metricsOfOthers() {
      return new Promise((resolve) => {
        requests += 1;
        waiting.set(requests, resolve);
        send({ kind: 'collect', request: requests });
      });
    },
  };
}
