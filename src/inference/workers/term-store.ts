/**
 * Compiled lists of terms, each compiled once for all workers: one list at a time, projects in fair turns, off the path of verdicts. Beyond its memory
 * those are dropped that were used longest ago, and compiled anew when a text asks for them.
 */
import type { Terms } from '../../caller.js';
import type { TermLists, TermsPlace } from '../../text/terms/compiled-terms.js';
import { messageOf, ServiceError } from '../../errors.js';

import { FairQueue, type Queued } from './fairness.js';
import { shuttingDown } from './model-health.js';
import { TermMemory } from './term-memory.js';

/** Ten thousand terms of three words take some 0.8 MiB, of twelve 2.7 MiB: those of some hundred projects are there at a time. */
const MOST_BYTES = 512 * 2 ** 20;

/** A list that stays where it is until it is released. */
export interface HeldTerms {
  /** Resolves when it is compiled. */
  readonly ready: Promise<TermsPlace>;
  readonly release: () => void;
}

export interface TermStore {
  /** @param project whose turn a list that is not compiled yet takes */
  hold(terms: Terms, project: string | undefined): HeldTerms;
  /** Holds what a worker reads, also when nobody waits for the text any more. */
  during<Result>(places: readonly TermsPlace[], read: () => Promise<Result>): Promise<Result>;
  /** What waits fails and is not compiled any more. */
  close(): void;
}

export interface TermStoreOptions {
  readonly compile: (lists: TermLists) => Promise<ArrayBuffer>;
  /** Told why a list could not be compiled; the message holds no term. */
  readonly onProblem: (message: string) => void;
  readonly mostBytes?: number;
}

class List implements Queued {
  readonly dueMs = performance.now();
  /** What compiling takes is in proportion to its characters. */
  readonly tokens: number;
  readonly ready: Promise<TermsPlace>;
  resolve: (place: TermsPlace) => void = () => undefined;
  reject: (error: Error) => void = () => undefined;
  place: TermsPlace | undefined;
  /** Texts that wait for it or are read with it. */
  holders = 0;

  /** @param terms only until they are compiled */
  constructor(
    readonly digest: string,
    public terms: TermLists | undefined,
    readonly project: string | undefined,
  ) {
    this.tokens = [...(terms?.blocked ?? []), ...(terms?.ignored ?? [])].reduce((sum, { length }) => sum + length, 0);
    this.ready = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever waits is told, and there may be nobody any more.
    this.ready.catch(() => undefined);
  }
}

export function createTermStore({ compile, onProblem, mostBytes = MOST_BYTES }: TermStoreOptions): TermStore {
  const memory = new TermMemory(mostBytes);
  /** By digest; what was used last is last. */
  const lists = new Map<string, List>();
  const listAt = new WeakMap<TermsPlace, List>();
  const waiting = new FairQueue<List>();
  let isCompiling = false;
  let isClosed = false;
  let onRelease: (() => void) | undefined;

  function listOf({ digest, blocked, ignored }: Terms, project: string | undefined): List {
    const known = lists.get(digest);
    const list = known ?? new List(digest, { blocked, ignored }, project);
    lists.delete(digest);
    lists.set(digest, list);
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
      const { terms = { blocked: [], ignored: [] } } = list;
      list.terms = undefined;
      if (isClosed) throw shuttingDown();
      list.place = await placeFor(new Uint8Array(await compile(terms)));
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

  return {
    hold(terms, project) {
      const list = listOf(terms, project);
      list.holders += 1;
      void compileAll();
      return { ready: list.ready, release: () => release(list) };
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
