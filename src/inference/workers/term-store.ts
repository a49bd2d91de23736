/**
 * Compiled lists of terms, each compiled once for all workers: one list at a time, projects in fair turns, off the path of verdicts. Beyond its memory
 * those are dropped that were used longest ago, and compiled anew when a text asks for them.
 */
import type { Caller, Terms } from '../../caller.js';
import type { TermsPlace } from '../../text/terms/compiled-terms.js';
import { messageOf, ServiceError } from '../../errors.js';

import { FairQueue, type Queued } from './fairness.js';
import { shuttingDown } from './model-health.js';
import { Admission, queueFull, type Holder } from './fairness.js';
import { TermMemory } from './term-memory.js';

/** Ten thousand terms of three words take some 0.8 MiB, of twelve 2.7 MiB: those of some hundred projects are there at a time. */
const MOST_BYTES = 512 * 2 ** 20;

export interface TermStore {
  /**
   * Has a text read with lists once they are compiled, which takes a turn of the caller's project; they stay where they are until then.
   *
   * @throws ServiceError `queue_full` where too many texts wait for lists and no other project has more of them than the caller's; `model_not_ready` where
   * the lists cannot be compiled; at once the signal's reason when the caller goes
   */
  use<Result>(terms: Terms, caller: Caller, read: (place: TermsPlace) => Promise<Result>): Promise<Result>;
  /** Holds what a worker reads, also when nobody waits for the text any more. */
  during<Result>(places: readonly TermsPlace[], read: () => Promise<Result>): Promise<Result>;
  /** Resolves when no text waits for lists or is read with them. */
  idle(): Promise<void>;
  /** What waits fails and is not compiled any more. */
  close(): void;
}

export interface TermStoreOptions {
  /** @param lists as JSON */
  readonly compile: (lists: string) => Promise<ArrayBuffer>;
  /** Told why a list could not be compiled; the message holds no term. */
  readonly onProblem: (message: string) => void;
  /** Texts that may wait for lists at a time. They take no place of those that wait for a worker. */
  readonly places: number;
  readonly mostBytes?: number;
}

interface WaitingText extends Holder {
  readonly giveUp: (reason: Error) => void;
}

class List implements Queued {
  readonly dueMs = performance.now();
  /** What compiling takes is in proportion to its characters. */
  readonly tokens: number;
  readonly digest: string;
  readonly ready: Promise<TermsPlace>;
  resolve: (place: TermsPlace) => void = () => undefined;
  reject: (error: Error) => void = () => undefined;
  place: TermsPlace | undefined;
  /** Texts that wait for it or are read with it. */
  holders = 0;

  constructor(
    readonly terms: Terms,
    readonly project: string | undefined,
  ) {
    this.digest = terms.digest;
    this.tokens = terms.characters;
    this.ready = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever waits is told, and there may be nobody any more.
    this.ready.catch(() => undefined);
  }
}

export function createTermStore({
  compile,
  onProblem,
  places: count,
  mostBytes = MOST_BYTES,
}: TermStoreOptions): TermStore {
  const memory = new TermMemory(mostBytes);
  /** By digest; what was used last is last. */
  const lists = new Map<string, List>();
  const listAt = new WeakMap<TermsPlace, List>();
  const waiting = new FairQueue<List>();
  const places = new Admission<WaitingText>(count);
  const uses = new Set<Promise<unknown>>();
  let isCompiling = false;
  let isClosed = false;
  let onRelease: (() => void) | undefined;

  function listOf(terms: Terms, project: string | undefined): List {
    const known = lists.get(terms.digest);
    const list = known ?? new List(terms, project);
    lists.delete(list.digest);
    lists.set(list.digest, list);
    if (known === undefined) waiting.push(list);
    return list;
  }

  async function compileAll(): Promise<void> {
    if (isCompiling) return;
    isCompiling = true;
    for (let list = waiting.shift(); list !== undefined; list = waiting.shift()) await compileOne(list);
    isCompiling = false;
  }

  async function compileOne(list: List): Promise<void> {
    try {
      if (isClosed) throw shuttingDown();
      const lists = list.terms.lists();
      const compiled = await compile(typeof lists === 'string' ? lists : await lists);
      list.place = await placeFor(new Uint8Array(compiled));
      listAt.set(list.place, list);
      list.resolve(list.place);
    } catch (error) {
      lists.delete(list.digest);
      if (!isClosed) onProblem(`a list of terms could not be compiled: ${messageOf(error)}`);
      list.reject(isClosed ? shuttingDown() : notCompiled(error));
    }
  }

  async function placeFor(compiled: Uint8Array): Promise<TermsPlace> {
    if (compiled.length > mostBytes) throw new Error('it is larger than all memory for such lists');
    for (;;) {
      const place = memory.put(compiled);
      if (place !== undefined) return place;
      if (!dropOldest()) await new Promise<void>((resolve) => (onRelease = resolve));
    }
  }

  function dropOldest(): boolean {
    for (const { digest, place, holders } of lists.values()) {
      if (place === undefined || holders > 0) continue;
      memory.free(place);
      lists.delete(digest);
      return true;
    }
    return false;
  }

  function release(list: List): void {
    list.holders -= 1;
    if (list.holders > 0) return;
    // Nobody waits for it any more: its turn is another's.
    if (waiting.remove(list)) lists.delete(list.digest);
    onRelease?.();
  }

  async function used<Result>(
    terms: Terms,
    { project, signal }: Caller,
    read: (place: TermsPlace) => Promise<Result>,
  ): Promise<Result> {
    const list = listOf(terms, project);
    list.holders += 1;
    try {
      return await read(list.place ?? (await compiled(list, project, signal)));
    } finally {
      release(list);
    }
  }

  async function compiled(list: List, project: string | undefined, signal?: AbortSignal): Promise<TermsPlace> {
    signal?.throwIfAborted();
    let giveUp: WaitingText['giveUp'] = () => undefined;
    const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
    const text: WaitingText = { project, hasBegun: false, giveUp };
    const gone = (): void => giveUp(signal?.reason as Error);
    places.admit(text)?.giveUp(queueFull());
    signal?.addEventListener('abort', gone, { once: true });
    try {
      void compileAll();
      return await Promise.race([list.ready, givenUp]);
    } finally {
      signal?.removeEventListener('abort', gone);
      places.leave(text);
    }
  }

  return {
    use(terms, caller, read) {
      const use = used(terms, caller, read);
      const forget = (): unknown => uses.delete(use);
      uses.add(use);
      use.then(forget, forget);
      return use;
    },
    async during(places, read) {
      const held = places.map((place) => listAt.get(place)).filter((list) => list !== undefined);
      for (const list of held) list.holders += 1;
      try {
        return await read();
      } finally {
        held.forEach(release);
      }
    },
    async idle() {
      while (uses.size > 0) await Promise.allSettled(uses);
    },
    close() {
      isClosed = true;
    },
  };
}

function notCompiled(cause: unknown): ServiceError {
  return new ServiceError('model_not_ready', 'The terms of the project could not be read. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}
