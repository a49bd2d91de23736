/** Decides which waiting work goes to a free worker, and what becomes of the work of one that died. Starts no threads itself. */
import { reasonOf, type GiveUpSignal } from '../../give-up.js';
import type { Portion, PortionOutcome, Work, WorkFailure, WorkResult } from './messages.js';
import { FairQueue, type Queued } from './fair-queue.js';

export interface DispatcherOptions<Run> {
  readonly workers: number;
  /** Has a free worker do it. Rejects only when the worker died or never answered. */
  readonly execute: (portion: Portion<Run>) => Promise<PortionOutcome<Run>>;
}

/** `tokens` are about those that it will take: they decide what fits into one portion, and whose turn is next. */
export type Turn = Queued;

export interface Dispatcher<Run> {
  /**
   * @param prepare called when a worker is free for it: what waits has cost nothing yet
   * @throws RunFailedError when the worker could not do it; WorkerLostError when two workers in turn were lost with it; the signal's
   * reason, at once, when it aborts
   */
  submit(prepare: () => Work<Run>, turn: Turn, signal?: GiveUpSignal): Promise<WorkResult<Run>>;
  /** Resolves when no worker is at work, also not on what nobody waits for any more. */
  idle(): Promise<void>;
}

/** The worker lives but could not do the work. The message is the worker's, and holds nothing of a text. */
export class RunFailedError extends Error {
  override readonly name = 'RunFailedError';
}

/** Two workers died in turn, or never answered, while they had this work. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
}

interface Job<Run> extends Turn {
  readonly prepare: () => Work<Run>;
  readonly signal: GiveUpSignal | undefined;
  readonly answer: (outcome: WorkResult<Run> | WorkFailure) => void;
  readonly reject: (error: unknown) => void;
  /** A worker was lost with it. It may be the reason, so the second time it goes alone. */
  isSuspect: boolean;
}

/**
 * What a worker takes at once where much is waiting: several short texts, which cost less together. A little more than one full run takes, so that
 * hardly anything waits longer than for that; a slice of a long text goes alone.
 */
const PORTION_TOKENS = 160;
const MAX_PORTION = 4;

export function createDispatcher<Run>({ workers, execute }: DispatcherOptions<Run>): Dispatcher<Run> {
  const waiting = new FairQueue<Job<Run>>();
  const running = new Set<Promise<void>>();

  /** More than one piece of work only where each worker will have several anyway: alone, each is answered sooner. */
  function takePortion(): Job<Run>[] {
    const most = Math.min(MAX_PORTION, Math.ceil(waiting.size / (2 * workers)));
    const portion: Job<Run>[] = [];
    let tokens = 0;
    for (let next = waiting.peek(); next !== undefined && portion.length < most; next = waiting.peek()) {
      tokens += next.tokens;
      if (portion.length > 0 && (next.isSuspect || tokens > PORTION_TOKENS)) break;
      portion.push(next);
      waiting.shift();
      if (next.isSuspect) break;
    }
    return portion;
  }

  function dispatch(): void {
    while (running.size < workers && waiting.size > 0) {
      const done: Promise<void> = run(takePortion(), () => running.delete(done));
      running.add(done);
    }
  }

  async function run(taken: readonly Job<Run>[], free: () => void): Promise<void> {
    const jobs: Job<Run>[] = [];
    const portion: Work<Run>[] = [];
    for (const job of taken) {
      try {
        portion.push(job.prepare());
        jobs.push(job);
      } catch (error) {
        job.reject(error);
      }
    }
    let outcomes: PortionOutcome<Run> = [];
    let loss: unknown;
    try {
      outcomes = await execute(portion);
    } catch (error) {
      loss = error;
    }
    free();
    if (loss !== undefined) for (const job of jobs.toReversed()) tryAgain(job, loss);
    // Before the answers are made of the outcomes: the worker should not wait for that.
    dispatch();
    jobs.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined) job.answer(outcome);
      else if (loss === undefined) job.answer({ failure: 'the worker answered less than it was given' });
    });
  }

  function tryAgain(job: Job<Run>, loss: unknown): void {
    if (job.signal?.aborted === true) return;
    if (job.isSuspect) {
      job.reject(new WorkerLostError('its worker was lost twice', { cause: loss }));
      return;
    }
    job.isSuspect = true;
    waiting.unshift(job);
  }

  return {
    submit(prepare, turn, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(reasonOf(signal));
          return;
        }
        const giveUp = (): void => {
          waiting.remove(job);
          if (signal !== undefined) reject(reasonOf(signal));
        };
        const job: Job<Run> = {
          project: turn.project,
          dueMs: turn.dueMs,
          tokens: turn.tokens,
          prepare,
          signal,
          isSuspect: false,
          answer(outcome) {
            signal?.removeEventListener('abort', giveUp);
            if ('failure' in outcome) reject(new RunFailedError(outcome.failure));
            else resolve(outcome);
          },
          reject,
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.push(job);
        dispatch();
      });
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
