/** What projects owe each other: which texts are let in where there are too many, and whose turn is next. Knows no workers. */
import { ServiceError } from '../../errors.js';

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

/**
 * The order in which work waits for a worker. Projects share the workers by start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM
 * 1996): whoever has been given fewest tokens is next, and who has had nothing waiting for a while begins level with the others, so
 * that its work passes what a busy project has piled up. Within a project what is due first is first, so that short texts pass long
 * ones.
 */
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

export interface Holder {
  readonly project: string | undefined;
  /** Whether a worker has begun with it: then it makes room only where its project has nothing else. */
  readonly hasBegun: boolean;
}

/**
 * How many texts are let in, and which makes room when there are too many: the newest of whoever holds most places. So a project that sends more than can
 * be judged is refused its own texts and nobody else's.
 */
export class Admission<Text extends Holder> {
  readonly #projects = new Map<string | undefined, Set<Text>>();
  #admitted = 0;

  constructor(readonly places: number) {}

  get admitted(): number {
    return this.#admitted;
  }

  /**
   * @returns the text that has lost its place to this one
   * @throws ServiceError `queue_full` where all are taken and no other project holds more of them than this one would
   */
  admit(text: Text): Text | undefined {
    const displaced = this.#admitted >= this.places ? this.#displacedBy(text) : undefined;
    if (displaced !== undefined) this.leave(displaced);
    const held = this.#projects.get(text.project);
    if (held === undefined) this.#projects.set(text.project, new Set([text]));
    else held.add(text);
    this.#admitted += 1;
    return displaced;
  }

  /** Also of what has lost its place already. */
  leave(text: Text): void {
    const held = this.#projects.get(text.project);
    if (held?.delete(text) !== true) return;
    this.#admitted -= 1;
    if (held.size === 0) this.#projects.delete(text.project);
  }

  #displacedBy({ project }: Text): Text {
    const [greediest] = [...this.#projects.values()].sort((one, other) => other.size - one.size);
    const own = this.#projects.get(project)?.size ?? 0;
    if (greediest === undefined || greediest.size <= own + 1) throw queueFull();
    const newestFirst = [...greediest].reverse();
    const chosen = newestFirst.find(({ hasBegun }) => !hasBegun) ?? newestFirst[0];
    if (chosen === undefined) throw queueFull();
    return chosen;
  }
}

export function queueFull(): ServiceError {
  return new ServiceError(
    'queue_full',
    'Too many texts are waiting to be judged. Try again after the time in Retry-After.',
    { retryAfterSeconds: 1 },
  );
}
