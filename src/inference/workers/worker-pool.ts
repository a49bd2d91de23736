/** The worker threads: starts them, replaces those that die or hang, and ends them. Knows nothing of texts or of an order. */
import { Piscina } from 'piscina';
import { messageOf } from './failure.js';
import type { Portion, PortionOutcome, WorkerSettings } from './messages.js';

export interface WorkerPoolOptions {
  readonly threads: number;
  /** The worker's module. */
  readonly workerUrl: URL;
  readonly settings: WorkerSettings;
  /** Told why a worker was lost. */
  readonly onLost: (why: string) => void;
  /** How long a worker may take for a portion before it counts as stuck. */
  readonly stuckAfterMs?: number | undefined;
}

export interface WorkerPool<Run> {
  /** Rejects, with the reason, when the worker died or was stuck; another one is started in its place. */
  execute(portion: Portion<Run>): Promise<PortionOutcome<Run>>;
  /**
   * Only when nothing is executing: a thread that is ended while ONNX Runtime computes takes the whole process with it
   * (Napi::Error, SIGABRT).
   */
  end(): Promise<void>;
}

/** A portion takes tens of milliseconds, with WebAssembly hundreds: up to a hundred times that on a machine short of processors. */
const STUCK_AFTER_MS = 30_000;

const WATCHDOG_TICKS = 30;

const FIRST_RESTART_DELAY_MS = 50;
const MAX_RESTART_DELAY_MS = 10_000;

export function createWorkerPool<Run>(options: WorkerPoolOptions): WorkerPool<Run> {
  const { threads, settings, onLost, stuckAfterMs = STUCK_AFTER_MS } = options;
  const pool = new Piscina<Portion<Run>, PortionOutcome<Run>>({
    filename: options.workerUrl.href,
    workerData: settings,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // On Linux, threads of one process can differ in priority: the HTTP thread gets a core at once although all of them compute.
    niceIncrement: 10,
    recordTiming: false,
    // A worker makes little garbage. With the 48 MB for new objects that V8 allows by default, each keeps some 10 MB that it never needs.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  let ending: Promise<void> | undefined;
  // What ended a thread may be told in full: once there are texts, the thread itself sees to that (worker-loop.ts).
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

  async function execute(portion: Portion<Run>): Promise<PortionOutcome<Run>> {
    // Piscina ends the thread of what is aborted.
    const watchdog = new AbortController();
    // Ticks and no single timer: time in which the whole process stood still (a paused container) is no fault of the worker's.
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks >= WATCHDOG_TICKS) watchdog.abort();
    }, stuckAfterMs / WATCHDOG_TICKS);
    try {
      const outcome = await pool.run(portion, { signal: watchdog.signal });
      restartDelayMs = 0;
      return outcome;
    } catch (error) {
      const why = watchdog.signal.aborted
        ? `was stuck: it gave no answer for ${stuckAfterMs / 1000} s`
        : `died during a run: ${messageOf(error)}`;
      onLost(why);
      throw new Error(`it ${why}`, { cause: error });
    } finally {
      clearInterval(timer);
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
