/** The worker threads: starts them, replaces those that die or hang, and ends them. Knows nothing of texts or of an order. */
import { Piscina } from 'piscina';
import type { Portion, PortionOutcome, WorkerSettings } from './task.js';

export interface WorkerPoolOptions {
  readonly threads: number;
  readonly settings: WorkerSettings;
  /** Told why a worker was lost. */
  readonly onLost: (why: string) => void;
  /** The worker's module; another one in tests. */
  readonly workerUrl?: URL | undefined;
  /** How long a worker may take for a portion before it counts as stuck. */
  readonly stuckAfterMs?: number | undefined;
}

export interface WorkerPool {
  /** Rejects when the worker died or was stuck; another one is started in its place. */
  execute(portion: Portion): Promise<PortionOutcome>;
  /**
   * Only when nothing is executing: a thread that is ended while ONNX Runtime computes takes the whole process with it
   * (Napi::Error, SIGABRT).
   */
  end(): Promise<void>;
}

/** A portion takes tens of milliseconds; on a machine that is short of processors, perhaps a hundred times as long. */
const STUCK_AFTER_MS = 30_000;

const FIRST_RESTART_DELAY_MS = 50;
const MAX_RESTART_DELAY_MS = 10_000;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { threads, settings, onLost, stuckAfterMs = STUCK_AFTER_MS } = options;
  const pool = new Piscina<Portion, PortionOutcome>({
    filename: (options.workerUrl ?? new URL('./worker.js', import.meta.url)).href,
    workerData: settings,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // On Linux, threads of one process can differ in priority: the HTTP thread gets a core at once although all of them compute.
    niceIncrement: 10,
    recordTiming: false,
  });
  let ending: Promise<void> | undefined;
  // A worker that dies between portions: piscina starts another by itself.
  pool.on('error', (error: unknown) => onLost(`died: ${messageOf(error)}`));

  // Piscina starts no worker in place of one that died before it was ready, and what waits would wait for ever: an empty portion
  // starts one. Later and later while none succeeds: what cannot start (no memory left, say) would else be tried without a pause.
  let restartDelayMs = 0;
  const starting = new Set<Promise<unknown>>();
  pool.on('workerDestroy', () => {
    setTimeout(() => {
      if (ending !== undefined || pool.threads.length >= threads) return;
      const start: Promise<unknown> = execute([])
        .catch(() => undefined)
        .finally(() => starting.delete(start));
      starting.add(start);
    }, restartDelayMs).unref();
    restartDelayMs = Math.min(MAX_RESTART_DELAY_MS, Math.max(FIRST_RESTART_DELAY_MS, restartDelayMs * 2));
  });

  async function execute(portion: Portion): Promise<PortionOutcome> {
    // Piscina ends the thread of what is aborted.
    const watchdog = new AbortController();
    const timer = setTimeout(() => watchdog.abort(), stuckAfterMs);
    try {
      const outcome = await pool.run(portion, { signal: watchdog.signal });
      restartDelayMs = 0;
      return outcome;
    } catch (error) {
      onLost(
        watchdog.signal.aborted
          ? `was stuck: it gave no answer for ${stuckAfterMs / 1000} s`
          : `died during a run: ${messageOf(error)}`,
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    execute,
    end() {
      // Not pool.close(): with several workers it ends as soon as one of them is idle, in the middle of what the others do.
      ending ??= Promise.all(starting).then(() => pool.destroy());
      return ending;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
