/**
 * The order in which work waits for a worker. Projects share the workers by start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM
 * 1996): whoever has been given fewest tokens is next, and who has had nothing waiting for a while begins level with the others, so
 * that its work passes what a busy project has piled up. Within a project what is due first is first, so that short texts pass long
 * ones. Knows no workers.
 */

export interface Queued {
  /** Undefined is a project of its own. */
  readonly project: string | undefined;
  /** Of `performance.now()`. */
  readonly dueMs: number;
  /** What it costs. */
  readonly tokens: number;
}

/** The work of one project. */
interface Lane<Item> {
  readonly project: string | undefined;
  /** Sorted by when it is due; what is due at the same time keeps its order. */
  readonly waiting: Item[];
  /** In tokens: where its next work begins on the virtual clock. */
  startTag: number;
}

export class FairQueue<Item extends Queued> {
  readonly #lanes = new Map<string | undefined, Lane<Item>>();
  /** In tokens: the start tag of what was taken last. */
  #virtualTime = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: Item): void {
    this.#insert(item, (waiting) => waiting.dueMs > item.dueMs);
  }

  /** Puts back what was shifted and not done: before all that waits, and it costs nothing twice. */
  unshift(item: Item): void {
    this.#insert(item, (waiting) => waiting.dueMs >= item.dueMs).startTag -= item.tokens;
  }

  peek(): Item | undefined {
    return this.#next()?.waiting[0];
  }

  shift(): Item | undefined {
    const lane = this.#next();
    const item = lane?.waiting.shift();
    if (lane === undefined || item === undefined) return undefined;
    this.#size -= 1;
    this.#virtualTime = Math.max(this.#virtualTime, lane.startTag);
    lane.startTag += item.tokens;
    this.#forgetIdle();
    return item;
  }

  /** @returns whether it was waiting */
  remove(item: Item): boolean {
    const waiting = this.#lanes.get(item.project)?.waiting;
    const index = waiting?.indexOf(item) ?? -1;
    if (index === -1) return false;
    waiting?.splice(index, 1);
    this.#size -= 1;
    return true;
  }

  #next(): Lane<Item> | undefined {
    let next: Lane<Item> | undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length > 0 && (next === undefined || lane.startTag < next.startTag)) next = lane;
    }
    return next;
  }

  #insert(item: Item, comesAfter: (waiting: Item) => boolean): Lane<Item> {
    let lane = this.#lanes.get(item.project);
    if (lane === undefined) {
      lane = { project: item.project, waiting: [], startTag: this.#virtualTime };
      this.#lanes.set(item.project, lane);
    }
    // Time in which it had nothing to do earns a project nothing.
    if (lane.waiting.length === 0) lane.startTag = Math.max(lane.startTag, this.#virtualTime);
    lane.waiting.splice(positionOf(lane.waiting, comesAfter), 0, item);
    this.#size += 1;
    return lane;
  }

  /** A lane without work is remembered only until the others have caught up: coming back earlier earns nothing either. */
  #forgetIdle(): void {
    for (const { project, waiting, startTag } of this.#lanes.values()) {
      if (waiting.length === 0 && startTag <= this.#virtualTime) this.#lanes.delete(project);
    }
  }
}

/** Index of the first that comes after, by bisection: the list is sorted. */
function positionOf<Item>(sorted: readonly Item[], comesAfter: (item: Item) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item === undefined || comesAfter(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
