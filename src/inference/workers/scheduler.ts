/**
 * The one place where texts wait: which are let in, whose turn is next, what a free worker takes at once, and what becomes of those whose caller has
 * gone or whose worker was lost. Starts no threads and reads no text.
 */
import type { Caller } from '../../caller.js';
import { FairQueue, type Queued, Admission, queueFull, type Holder } from './fairness.js';
import type { DoTasks, Task, TaskOutcome, TaskResult } from './messages.js';

/** A task of a text. `tokens` are about those that it will take: they decide what a worker takes at once, and whose turn is next. */
export interface Wanted<Sequence> extends Pick<Queued, 'dueMs' | 'tokens'> {
  /** Called when a worker is free for it: what waits has cost nothing yet. */
  readonly task: () => Task<Sequence>;
}

/**
 * Waits for a worker.
 *
 * @throws TaskFailedError when the worker could not do it; WorkerLostError when two workers in turn were lost with it, or there is none;
 * at once the signal's reason when the caller goes, or ServiceError `queue_full` when another project is owed the place
 */
export type Do<Sequence> = (wanted: Wanted<Sequence>) => Promise<TaskResult<Sequence>>;

export interface SchedulerOptions<Sequence> {
  readonly workers: number;
  /** Texts that may be let in at a time. */
  readonly places: number;
  /** How many workers could begin at once. */
  readonly free: () => number;
  /** Has a free worker do them. Rejects only when the worker died or never answered. */
  readonly execute: DoTasks<Sequence>;
}

export interface Scheduler<Sequence> {
  /** Texts that were let in and are not judged yet. */
  readonly size: number;
  /**
   * Lets a text in, until `judge` has its value.
   *
   * @throws ServiceError `queue_full` where all places are taken and no other project holds more of them than this one would; what `judge` throws
   */
  admit<Value>(caller: Caller, judge: (run: Do<Sequence>) => Promise<Value>): Promise<Value>;
  /** A task that takes no place. */
  readonly run: Do<Sequence>;
  /** To be called when a worker is free that was not. */
  dispatch(): void;
  /** To be called when no worker is left and none can be started: what waits fails with a WorkerLostError. */
  fail(cause: unknown): void;
  /** Resolves when all texts are judged and no worker is at work, also not on what nobody waits for any more. */
  idle(): Promise<void>;
}

/** The worker lives but could not do the task. The message is the worker's, and holds nothing of a text. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError';
}

/** Two workers died in turn, or never answered, while they had this task; or none could be started. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
}

/** Holds a place from when it was let in to its end. */
interface Text<Sequence> extends Holder {
  /** What is not done of it: waiting, or with a worker. */
  readonly jobs: Set<Job<Sequence>>;
  hasBegun: boolean;
  /** Why nothing of it is done any more. */
  ended: Error | undefined;
}

interface Job<Sequence> extends Wanted<Sequence>, Queued {
  readonly text: Text<Sequence>;
  readonly resolve: (result: TaskResult<Sequence>) => void;
  readonly reject: (error: unknown) => void;
  /** A worker was lost with it. It may be the reason, so the second time it goes alone. */
  isSuspect: boolean;
}

/**
 * What a worker takes at once where much is waiting: several short texts, which cost less together. A little more than one full sequence takes, so that
 * hardly anything waits longer than for that; a part of a long text goes alone.
 */
const TOKENS_AT_ONCE = 160;
const TASKS_AT_ONCE = 4;

export function createScheduler<Sequence>(options: SchedulerOptions<Sequence>): Scheduler<Sequence> {
  const { workers, free, execute } = options;
  const queue = new FairQueue<Job<Sequence>>();
  const admission = new Admission<Text<Sequence>>(options.places);
  const underWay = new Set<Promise<unknown>>();

  function end(text: Text<Sequence>, reason: Error): void {
    text.ended ??= reason;
    for (const job of text.jobs) {
      queue.remove(job);
      job.reject(reason);
    }
    text.jobs.clear();
  }

  function enqueue(text: Text<Sequence>, wanted: Wanted<Sequence>): Promise<TaskResult<Sequence>> {
    return new Promise((resolve, reject) => {
      if (text.ended !== undefined) {
        reject(text.ended);
        return;
      }
      const job: Job<Sequence> = { ...wanted, project: text.project, text, resolve, reject, isSuspect: false };
      text.jobs.add(job);
      queue.push(job);
      dispatch();
    });
  }

  /** More than one task only where each worker will have several anyway: alone, each is answered sooner. */
  function take(): Job<Sequence>[] {
    const most = Math.min(TASKS_AT_ONCE, Math.ceil(queue.size / (2 * workers)));
    const taken: Job<Sequence>[] = [];
    let tokens = 0;
    for (let next = queue.peek(); next !== undefined && taken.length < most; next = queue.peek()) {
      tokens += next.tokens;
      if (taken.length > 0 && (next.isSuspect || tokens > TOKENS_AT_ONCE)) break;
      taken.push(next);
      next.text.hasBegun = true;
      queue.shift();
      if (next.isSuspect) break;
    }
    return taken;
  }

  function dispatch(): void {
    while (free() > 0 && queue.size > 0) void note(execution(take()));
  }

  async function execution(taken: readonly Job<Sequence>[]): Promise<void> {
    const jobs: Job<Sequence>[] = [];
    const tasks: Task<Sequence>[] = [];
    for (const job of taken) {
      try {
        tasks.push(job.task());
        jobs.push(job);
      } catch (error) {
        settle(job, () => job.reject(error));
      }
    }
    let outcomes: readonly TaskOutcome<Sequence>[] = [];
    let loss: unknown;
    try {
      outcomes = await execute(tasks);
    } catch (error) {
      loss = error;
    }
    if (loss !== undefined) for (const job of jobs.toReversed()) tryAgain(job, loss);
    // Before the answers are made of the outcomes: the worker should not wait for that.
    dispatch();
    if (loss !== undefined) return;
    jobs.forEach((job, index) => {
      const outcome = outcomes[index] ?? { failure: 'the worker answered less than it was given' };
      if ('failure' in outcome) settle(job, () => job.reject(new TaskFailedError(outcome.failure)));
      else settle(job, () => job.resolve(outcome));
    });
  }

  function settle(job: Job<Sequence>, how: () => void): void {
    job.text.jobs.delete(job);
    how();
  }

  function tryAgain(job: Job<Sequence>, loss: unknown): void {
    if (job.text.ended !== undefined) return;
    if (job.isSuspect) {
      settle(job, () => job.reject(new WorkerLostError('its worker was lost twice', { cause: loss })));
      return;
    }
    job.isSuspect = true;
    queue.unshift(job);
  }

  function note<Value>(part: Promise<Value>): Promise<Value> {
    const forget = (): unknown => underWay.delete(part);
    underWay.add(part);
    part.then(forget, forget);
    return part;
  }

  async function judged<Value>(
    { project, signal }: Caller,
    judge: (run: Do<Sequence>) => Promise<Value>,
  ): Promise<Value> {
    signal?.throwIfAborted();
    const text = textOf<Sequence>(project);
    const displaced = admission.admit(text);
    if (displaced !== undefined) end(displaced, queueFull());
    const gone = (): void => end(text, signal?.reason as Error);
    signal?.addEventListener('abort', gone, { once: true });
    try {
      return await judge((wanted) => enqueue(text, wanted));
    } finally {
      signal?.removeEventListener('abort', gone);
      admission.leave(text);
      // Where one of its tasks has failed, the others are of no use.
      end(text, new Error('the text is judged'));
    }
  }

  return {
    get size() {
      return admission.admitted;
    },
    admit: (caller, judge) => note(judged(caller, judge)),
    run: (wanted) => enqueue(textOf(undefined), wanted),
    dispatch,
    fail(cause) {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        const { reject } = job;
        settle(job, () => reject(new WorkerLostError('no worker could be started', { cause })));
      }
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

function textOf<Sequence>(project: string | undefined): Text<Sequence> {
  return { project, jobs: new Set(), hasBegun: false, ended: undefined };
}
