/** The worker threads: starts them, replaces those that die or hang, and ends them. Knows nothing of texts or of an order. */
import { Worker } from 'node:worker_threads';
import { messageOf } from './failure.js';
import type { Portion, PortionOutcome, WorkerSettings } from './messages.js';

export interface WorkerPoolOptions {
  readonly threads: number;
  /** The worker's module, which answers portions (portion-port.ts). */
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

/** A worker makes little garbage. With the 48 MB for new objects that V8 allows by default, each keeps some 10 MB that it never needs. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

interface Task<Run> {
  readonly portion: Portion<Run>;
  readonly resolve: (outcome: PortionOutcome<Run>) => void;
  readonly reject: (error: Error) => void;
}

/** A thread, and what it does. */
interface Member<Run> {
  readonly worker: Worker;
  task: Task<Run> | undefined;
  /** Of the watchdog, since it began. */
  ticks: number;
}

export function createWorkerPool<Run>(options: WorkerPoolOptions): WorkerPool<Run> {
  const { threads, workerUrl, settings, onLost, stuckAfterMs = STUCK_AFTER_MS } = options;
  const members = new Set<Member<Run>>();
  const waiting: Task<Run>[] = [];
  const warmUps = new Set<Promise<unknown>>();
  let restartDelayMs = 0;
  let ending: Promise<void> | undefined;

  function start(): void {
    const worker = new Worker(workerUrl, { workerData: settings, resourceLimits: RESOURCE_LIMITS });
    const member: Member<Run> = { worker, task: undefined, ticks: 0 };
    members.add(member);
    worker.on('message', (outcome: PortionOutcome<Run>) => {
      // Of one that was stuck and is being ended: too late.
      if (!members.has(member)) return;
      restartDelayMs = 0;
      const { task } = member;
      member.task = undefined;
      giveNext(member);
      task?.resolve(outcome);
    });
    // What ended a thread may be told in full: once there are texts, the thread itself sees to that (worker-loop.ts).
    worker.once('error', (error) => lose(member, `died${duringRun(member)}: ${messageOf(error)}`, error));
    worker.once('exit', (code) => lose(member, `died${duringRun(member)}: it ended with code ${code}`));
    giveNext(member);
  }

  function giveNext(member: Member<Run>): void {
    const task = waiting.shift();
    if (task === undefined) return;
    member.task = task;
    member.ticks = 0;
    member.worker.postMessage(task.portion);
  }

  function lose(member: Member<Run>, why: string, cause?: unknown): void {
    if (!members.delete(member)) return;
    member.task?.reject(new Error(`it ${why}`, { cause }));
    if (ending !== undefined) return;
    onLost(why);
    setTimeout(replace, restartDelayMs).unref();
    // Later and later while none succeeds: what cannot start (no memory left, say) would else be tried without a pause.
    restartDelayMs = Math.min(MAX_RESTART_DELAY_MS, Math.max(FIRST_RESTART_DELAY_MS, restartDelayMs * 2));
  }

  /** An empty portion has a worker load its model before a text comes. */
  function replace(): void {
    if (ending !== undefined || members.size >= threads) return;
    const warmUp: Promise<unknown> = execute([])
      .catch(() => undefined)
      .finally(() => warmUps.delete(warmUp));
    warmUps.add(warmUp);
  }

  function execute(portion: Portion<Run>): Promise<PortionOutcome<Run>> {
    return new Promise((resolve, reject) => {
      waiting.push({ portion, resolve, reject });
      for (const member of members) {
        if (member.task === undefined) {
          giveNext(member);
          return;
        }
      }
      if (members.size < threads) start();
    });
  }

  // Ticks and no clock: time in which the whole process stood still (a paused container) is no fault of the workers'.
  const watchdog = setInterval(() => {
    for (const member of members) {
      if (member.task === undefined) continue;
      member.ticks += 1;
      if (member.ticks <= WATCHDOG_TICKS) continue;
      void member.worker.terminate();
      lose(member, `was stuck: it gave no answer for ${stuckAfterMs / 1000} s`);
    }
  }, stuckAfterMs / WATCHDOG_TICKS);

  async function endAll(): Promise<void> {
    await Promise.all(warmUps);
    clearInterval(watchdog);
    await Promise.all([...members].map(({ worker }) => worker.terminate()));
  }

  return {
    execute,
    end() {
      ending ??= endAll();
      return ending;
    },
  };
}

function duringRun<Run>({ task }: Member<Run>): string {
  return task === undefined ? '' : ' during a run';
}
