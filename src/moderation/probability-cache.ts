/** Remembers judgements of texts seen before, and lets equal texts that arrive together share one computation. Keeps no text. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.js';

export interface CacheLookup<Value> {
  readonly value: Value;
  /** True when this call did not compute: it was remembered, or another call was already computing it. */
  readonly cached: boolean;
}

export interface CacheQuery<Value> {
  /** Of two ways to read one text: what was read in one is not found in the other. */
  readonly variant?: string | undefined;
  /** Whether a value has all that this caller needs, as what it computes has. Without it any value will do. */
  readonly suffices?: ((value: Value) => boolean) | undefined;
}

export interface ProbabilityCache<Value> {
  /**
   * The remembered value for a text, or the outcome of `compute`. A failure is passed on to all who wait and not remembered.
   *
   * @param caller.project what another project has computed already is waited for in a turn of one's own
   * @param caller.signal this caller no longer waits: nothing is begun for one that has gone. What is computed is given up when nobody
   * else waits for it either
   */
  get(text: string, compute: Compute<Value>, caller?: Caller, query?: CacheQuery<Value>): Promise<CacheLookup<Value>>;
  stats(): { readonly entries: number; readonly hits: number; readonly misses: number };
}

export interface ProbabilityCacheOptions<Value> {
  /** Model and version: another model must not find these entries. */
  readonly namespace: string;
  /** 0 turns the cache off, sharing included. */
  readonly maxEntries: number;
  /** About how much memory a value takes. All together take no more than so many ordinary ones. */
  readonly bytesOf: (value: Value) => number;
}

/** Of a short text's judgement, with its key. */
const BYTES_OF_ORDINARY_ENTRY = 2000;

export function createProbabilityCache<Value extends object>(
  options: ProbabilityCacheOptions<Value>,
): ProbabilityCache<Value> {
  let hits = 0;
  let misses = 0;
  if (options.maxEntries === 0) {
    return {
      async get(_text, compute, { signal } = {}) {
        signal?.throwIfAborted();
        misses += 1;
        return { value: await compute(signal), cached: false };
      },
      stats: () => ({ entries: 0, hits, misses }),
    };
  }
  const remembered = new LRUCache<string, Value>({
    max: options.maxEntries,
    maxSize: options.maxEntries * BYTES_OF_ORDINARY_ENTRY,
    sizeCalculation: options.bytesOf,
  });
  // Apart for those who need a full value: each project's computation answers all who wait, and one for others may lack something.
  const computing = new Map<string, SharedComputation<Value>>();
  const computingFull = new Map<string, SharedComputation<Value>>();

  function begin(key: string, { suffices }: CacheQuery<Value>): SharedComputation<Value> {
    const others = suffices === undefined ? computing : computingFull;
    const computation: SharedComputation<Value> = shareComputation((value) => {
      // One that is full may have been remembered meanwhile.
      if (value !== undefined && (suffices !== undefined || !remembered.has(key))) remembered.set(key, value);
      if (others.get(key) === computation) others.delete(key);
    });
    others.set(key, computation);
    return computation;
  }

  function recall(key: string, { suffices }: CacheQuery<Value>): Value | undefined {
    const known = remembered.get(key);
    if (known === undefined || suffices?.(known) === false) return undefined;
    hits += 1;
    return known;
  }

  return {
    async get(text, compute, caller = {}, query = {}) {
      const key = keyOf(options.namespace, text, query.variant);
      const known = recall(key, query);
      if (known !== undefined) return { value: known, cached: true };
      const { project, signal } = caller;
      signal?.throwIfAborted();
      const shared = (query.suffices === undefined ? computing : computingFull).get(key);
      if (shared !== undefined) {
        hits += 1;
        return { value: await shared.wait(project, compute, signal), cached: true };
      }
      misses += 1;
      return { value: await begin(key, query).wait(project, compute, signal), cached: false };
    },
    stats: () => ({ entries: remembered.size, hits, misses }),
  };
}

/** SHA-256 over the exact UTF-16 units: UTF-8 would give texts that differ in lone surrogates one key. */
export function keyOf(namespace: string, text: string, variant = ''): string {
  return hash('sha256', Buffer.from(`${namespace}\0${variant}\0${text}`, 'utf16le'), 'base64');
}

/** Of a value that several callers wait for. Its signal aborts when nobody of the project waits any more, or when the value is there. */
export type Compute<Value> = (signal?: AbortSignal) => Promise<Value>;

/**
 * One value that several callers wait for. Each project has it computed in a turn of its own, so that nobody waits for the turn of
 * another: the first value is everybody's, and the other computations are given up.
 */
export interface SharedComputation<Value> {
  /**
   * The value, or the failure of the project's own computation, or the signal's reason as soon as it aborts.
   *
   * @param compute called if nobody of this project waits yet
   */
  wait(project: string | undefined, compute: Compute<Value>, signal?: AbortSignal): Promise<Value>;
}

/** The computation of one project, and those who wait for it. */
interface Attempt<Value> {
  readonly waiting: Set<Waiting<Value>>;
  readonly controller: AbortController;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** @param onEnd called once, with the value if there is one: when it is there, or all have failed or gone */
export function shareComputation<Value>(onEnd: (value?: Value) => void): SharedComputation<Value> {
  const attempts = new Map<string | undefined, Attempt<Value>>();

  function succeed(value: Value, first: Attempt<Value>): void {
    if (attempts.size === 0) return;
    const all = [...attempts.values()];
    attempts.clear();
    onEnd(value);
    for (const attempt of all) {
      for (const { resolve } of attempt.waiting) resolve(value);
      if (attempt !== first) attempt.controller.abort(new Error('another computation was first'));
    }
  }

  function end(project: string | undefined, attempt: Attempt<Value>, reason: Error): void {
    // At once, so that the next caller does not join what is being given up.
    if (attempts.get(project) !== attempt) return;
    attempts.delete(project);
    if (attempts.size === 0) onEnd();
    for (const { reject } of attempt.waiting) reject(reason);
    attempt.controller.abort(reason);
  }

  function begin(project: string | undefined, compute: Compute<Value>): Attempt<Value> {
    const attempt: Attempt<Value> = { waiting: new Set(), controller: new AbortController() };
    attempts.set(project, attempt);
    compute(attempt.controller.signal).then(
      (value) => succeed(value, attempt),
      (error: unknown) => end(project, attempt, errorOf(error)),
    );
    return attempt;
  }

  return {
    wait(project, compute, signal) {
      const attempt = attempts.get(project) ?? begin(project, compute);
      return new Promise<Value>((resolve, reject) => {
        const leave = (): void => {
          if (signal === undefined) return;
          const reason = signal.reason as Error;
          reject(reason);
          attempt.waiting.delete(caller);
          if (attempt.waiting.size === 0) end(project, attempt, reason);
        };
        const stay = (): void => signal?.removeEventListener('abort', leave);
        const caller: Waiting<Value> = {
          resolve(value) {
            stay();
            resolve(value);
          },
          reject(error) {
            stay();
            reject(error);
          },
        };
        attempt.waiting.add(caller);
        if (signal?.aborted === true) leave();
        else signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
