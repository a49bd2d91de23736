/** The order in which work waits for a worker: by when it is due and not by when it came, so that short texts pass long ones. */
import { queueOptionsSymbol, type PiscinaTask, type TaskQueue } from 'piscina';

type Waiting = Parameters<TaskQueue['push']>[0];

/** Piscina reads this member of a task; it does not travel to the worker. */
export interface Due {
  readonly [queueOptionsSymbol]: { readonly dueMs: number };
}

export function due(dueMs: number): Due {
  return { [queueOptionsSymbol]: { dueMs } };
}

/** What is due first is first; what is due at the same time keeps its order. Work without a time goes before all other. */
export class FairQueue implements TaskQueue {
  readonly #waiting: Waiting[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  push(task: Waiting): void {
    this.#waiting.splice(
      this.#position((waitingMs) => waitingMs > dueMsOf(task)),
      0,
      task,
    );
  }

  /** Puts back what was shifted and found no worker: before what is due at the same time. */
  unshift(task: Waiting): void {
    this.#waiting.splice(
      this.#position((waitingMs) => waitingMs >= dueMsOf(task)),
      0,
      task,
    );
  }

  shift(): Waiting | null {
    return this.#waiting.shift() ?? null;
  }

  remove(task: Waiting): void {
    const index = this.#waiting.indexOf(task);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  /** Index of the first that comes after, by bisection: the list is sorted. */
  #position(comesAfter: (waitingMs: number) => boolean): number {
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comesAfter(dueMsOf(this.#waiting[middle]))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function dueMsOf(task: Waiting | undefined): number {
  const options: Partial<PiscinaTask[typeof queueOptionsSymbol]> | null | undefined = task?.[queueOptionsSymbol];
  return options !== null && options !== undefined && 'dueMs' in options && typeof options.dueMs === 'number'
    ? options.dueMs
    : -Infinity;
}
