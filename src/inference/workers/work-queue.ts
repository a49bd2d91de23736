/** The order in which work waits for a worker: by when it is due and not by when it came, so that short texts pass long ones. */

export interface Due {
  /** Of `performance.now()`. */
  readonly dueMs: number;
}

/** What is due first is first; what is due at the same time keeps its order. */
export class WorkQueue<Item extends Due> {
  readonly #waiting: Item[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  push(item: Item): void {
    this.#waiting.splice(
      this.#position((waiting) => waiting.dueMs > item.dueMs),
      0,
      item,
    );
  }

  /** Puts back what was shifted and not done: before what is due at the same time. */
  unshift(item: Item): void {
    this.#waiting.splice(
      this.#position((waiting) => waiting.dueMs >= item.dueMs),
      0,
      item,
    );
  }

  peek(): Item | undefined {
    return this.#waiting[0];
  }

  shift(): Item | undefined {
    return this.#waiting.shift();
  }

  /** @returns whether it was waiting */
  remove(item: Item): boolean {
    const index = this.#waiting.indexOf(item);
    if (index !== -1) this.#waiting.splice(index, 1);
    return index !== -1;
  }

  /** Index of the first that comes after, by bisection: the list is sorted. */
  #position(comesAfter: (waiting: Item) => boolean): number {
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const waiting = this.#waiting[middle];
      if (waiting === undefined || comesAfter(waiting)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
