/** The worker threads: starts them, replaces those that die or hang, and ends them. Nothing waits here, and it knows nothing of texts. */
import { Worker } from 'node:worker_threads';

import type { DoTasks, Task, TaskOutcome, WorkerSettings } from './messages.js';
import { messageOf } from '../../errors.js';

export interface WorkerPoolOptions<Sequence> {
  readonly threads: number;
  /** The worker's module, which answers tasks (worker-loop.ts). */
  readonly workerUrl: URL;
  readonly settings: WorkerSettings;
  /** What a thread does before it counts as free: it loads its model for it, and the first pass of a network is the slowest. */
  readonly warmUp: Task<Sequence>;
  /** Told that a thread is free that was not, but for those that have answered. */
  readonly onFree: () => void;
  /** Told why a worker was lost. */
  readonly onLost: (why: string) => void;
  /** Told that one was lost while it warmed up and no other is warm: perhaps none can be started. */
  readonly onNone: (cause: unknown) => void;
  /** How long a worker may take for its tasks before it counts as stuck. */
  readonly stuckAfterMs?: number | undefined;
}

export interface WorkerPool<Sequence> {
  /** How the first threads warmed up. Rejects when one of them died. */
  readonly started: Promise<readonly TaskOutcome<Sequence>[]>;
  /** How many threads have nothing to do. */
  free(): number;
  /** Rejects, with the reason, when the worker died or was stuck; another one is started in its place. @throws Error where none is free */
  readonly execute: DoTasks<Sequence>;
  /**
   * Only when nothing is executing: a thread that is ended while ONNX Runtime computes takes the whole process with it
   * (Napi::Error, SIGABRT).
   */
  end(): Promise<void>;
}

/** What a worker takes at once needs tens of milliseconds, with WebAssembly hundreds: up to a hundred times that on a machine short of processors. */
const STUCK_AFTER_MS = 30_000;

const WATCHDOG_TICKS = 30;

const FIRST_RESTART_DELAY_MS = 50;
const MAX_RESTART_DELAY_MS = 10_000;

/** A worker makes little garbage. With the 48 MB for new objects that V8 allows by default, each keeps some 10 MB that it never needs. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

interface Execution<Sequence> {
  readonly resolve: (outcomes: readonly TaskOutcome<Sequence>[]) => void;
  readonly reject: (error: Error) => void;
  /** Of the watchdog, since it began. */
  ticks: number;
}

/** A thread, and what it does. */
interface Member<Sequence> {
  readonly worker: Worker;
  isWarm: boolean;
  execution: Execution<Sequence> | undefined;
}

export function createWorkerPool<Sequence>(options: WorkerPoolOptions<Sequence>): WorkerPool<Sequence> {
  const { threads, workerUrl, settings, warmUp, onFree, onLost, onNone, stuckAfterMs = STUCK_AFTER_MS } = options;
  const members = new Set<Member<Sequence>>();
  const warmUps = new Set<Promise<unknown>>();
  let restartDelayMs = 0;
  let ending: Promise<void> | undefined;

  function start(): Promise<TaskOutcome<Sequence>> {
    const worker = new Worker(workerUrl, { workerData: settings, resourceLimits: RESOURCE_LIMITS });
    const member: Member<Sequence> = { worker, isWarm: false, execution: undefined };
    members.add(member);
    worker.on('message', (outcomes: readonly TaskOutcome<Sequence>[]) => {
      // Of one that was stuck and is being ended: too late.
      if (!members.has(member)) return;
      restartDelayMs = 0;
      const { execution } = member;
      member.execution = undefined;
      execution?.resolve(outcomes);
    });
    // What ended a thread may be told in full: once there are texts, the thread itself sees to that (worker-loop.ts).
    worker.once('error', (error) => lose(member, `died${duringRun(member)}: ${messageOf(error)}`, error));
    worker.once('exit', (code) => lose(member, `died${duringRun(member)}: it ended with code ${code}`));
    return warmedUp(member);
  }

  async function warmedUp(member: Member<Sequence>): Promise<TaskOutcome<Sequence>> {
    const warming = executeOn(member, [warmUp]);
    warmUps.add(warming);
    try {
      const [outcome] = await warming;
      member.isWarm = true;
      return outcome ?? { failure: 'the worker answered less than it was given' };
    } finally {
      warmUps.delete(warming);
      onFree();
    }
  }

  function executeOn(member: Member<Sequence>, tasks: readonly Task<Sequence>[]): ReturnType<DoTasks<Sequence>> {
    return new Promise((resolve, reject) => {
      member.execution = { resolve, reject, ticks: 0 };
      member.worker.postMessage(tasks);
    });
  }

  function lose(member: Member<Sequence>, why: string, cause?: unknown): void {
    if (!members.delete(member)) return;
    member.execution?.reject(new Error(`it ${why}`, { cause }));
    if (ending !== undefined) return;
    onLost(why);
    if (!member.isWarm && ![...members].some(({ isWarm }) => isWarm)) onNone(cause ?? new Error(`it ${why}`));
    setTimeout(replace, restartDelayMs).unref();
    // Later and later while none succeeds: what cannot start (no memory left, say) would else be tried without a pause.
    restartDelayMs = Math.min(MAX_RESTART_DELAY_MS, Math.max(FIRST_RESTART_DELAY_MS, restartDelayMs * 2));
  }

  function replace(): void {
    if (ending === undefined && members.size < threads) start().catch(() => undefined);
  }

  // Ticks and no clock: time in which the whole process stood still (a paused container) is no fault of the workers'.
  const watchdog = setInterval(() => {
    for (const member of members) {
      if (member.execution === undefined) continue;
      member.execution.ticks += 1;
      if (member.execution.ticks <= WATCHDOG_TICKS) continue;
      void member.worker.terminate();
      lose(member, `was stuck: it gave no answer for ${stuckAfterMs / 1000} s`);
    }
  }, stuckAfterMs / WATCHDOG_TICKS);

  async function endAll(): Promise<void> {
    await Promise.allSettled(warmUps);
    clearInterval(watchdog);
    await Promise.all([...members].map(({ worker }) => worker.terminate()));
  }

  const idle = (): Member<Sequence>[] => [...members].filter(({ execution }) => execution === undefined);

  return {
    started: Promise.all(Array.from({ length: threads }, start)),
    free: () => idle().length,
    execute(tasks) {
      const [member] = idle();
      if (member === undefined) throw new Error('no worker is free');
      return executeOn(member, tasks);
    },
    end() {
      ending ??= endAll();
      return ending;
    },
  };
}

function duringRun<Sequence>({ execution }: Member<Sequence>): string {
  return execution === undefined ? '' : ' during a run';
}
