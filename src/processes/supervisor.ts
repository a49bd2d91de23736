/**
 * The process above several service processes that share one port (node:cluster): starts them, hands connections out in turn, replaces those that
 * die and passes signals on. Answers no request, and knows nothing of the service.
 */
import cluster, { type Worker } from 'node:cluster';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { handOnWhatItLeaves } from './handover.js';
import type { ToSupervisor } from './messages.js';
import { createMetricsCollector } from './metrics-collector.js';

export interface SupervisorOptions {
  readonly processes: number;
  /** The program of each, and what Node gets for it. */
  readonly program: string;
  readonly flags: readonly string[];
  /** Of each, over that of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether whoever sends this signal sends it to all processes: a terminal does. */
  readonly isSentToAll: (signal: NodeJS.Signals) => boolean;
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Running {
  readonly ready: Promise<void>;
  readonly ended: Promise<Ending & { readonly readyForMs: number | undefined }>;
}

export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT'];

/** One that was ready for less died at once. */
const STEADY_MS = 10_000;
const FIRST_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 10_000;

/**
 * The first process starts alone, so that what stands in the way of a start is said once; then this ends as that one did. The others, and
 * whatever takes the place of one that died, listen when they can answer.
 *
 * @returns how to end; after a signal with the highest code of all
 */
export async function supervise(options: SupervisorOptions): Promise<Ending> {
  const { processes, program, flags, environment, isSentToAll } = options;
  const workers = new Set<Worker>();
  /** Those that take requests. */
  const ready = new Set<Worker>();
  const collector = createMetricsCollector(ready);
  const stop = new AbortController();
  const isStopping = (): boolean => stop.signal.aborted;

  function start(place: number, listens: 'at once' | 'when ready'): Running {
    const args = [String(place), listens];
    cluster.setupPrimary({ exec: program, execArgv: [...flags], args, serialization: 'advanced' });
    const worker = cluster.fork(environment);
    handOnWhatItLeaves(worker, () => [...ready].some((other) => other !== worker));
    workers.add(worker);
    let readyAtMs: number | undefined;
    const becameReady = new Promise<void>((resolve) => {
      worker.on('message', (message: ToSupervisor) => {
        // Others send messages as well.
        if (message.kind !== 'ready') collector.receive(worker, message);
        else {
          readyAtMs = performance.now();
          ready.add(worker);
          resolve();
        }
      });
    });
    const ended = new Promise<Ending>((resolve) => {
      worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }));
      // Where the system can start no process; else of a message that one did not receive because it died.
      worker.on('error', () => {
        if (worker.process.pid === undefined) resolve({ code: 1, signal: null });
      });
    }).then((ending) => {
      workers.delete(worker);
      ready.delete(worker);
      collector.forget(worker);
      return { ...ending, readyForMs: readyAtMs && performance.now() - readyAtMs };
    });
    return { ready: becameReady, ended };
  }

  /** @returns the code of the one that a signal ended */
  async function keepRunning(place: number, first?: Running): Promise<number> {
    let running = first;
    for (let delayMs = 0; !isStopping();) {
      running ??= start(place, 'when ready');
      const { code, signal, readyForMs } = await running.ended;
      running = undefined;
      // One that knows no signal yet is ended by it, and has nothing to answer.
      if (isStopping()) return code ?? (readyForMs === undefined ? 0 : 1);
      const isSteady = (readyForMs ?? 0) >= STEADY_MS;
      delayMs = isSteady ? 0 : Math.min(MAX_RESTART_DELAY_MS, Math.max(FIRST_RESTART_DELAY_MS, delayMs * 2));
      const how = signal === null ? `with ${code ?? 1}` : `by ${signal}`;
      process.stderr.write(`parapet: process ${place} ended ${how}; another takes its place in ${delayMs / 1000} s\n`);
      await delay(delayMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return 0;
  }

  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      stop.abort();
      if (!isSentToAll(signal)) for (const worker of workers) worker.process.kill(signal);
    });
  }
  const first = start(1, 'at once');
  const cannotStart = await Promise.race([first.ready, first.ended]);
  if (cannotStart !== undefined) return cannotStart;
  const others = Array.from({ length: processes - 1 }, (_, index) => keepRunning(index + 2));
  const codes = await Promise.all([keepRunning(1, first), ...others]);
  return { code: Math.max(...codes), signal: null };
}
