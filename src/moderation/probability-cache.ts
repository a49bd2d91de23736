/** Remembers judgements of texts seen before, and lets equal texts that arrive together share one computation. Keeps no text. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Asker } from '../caller.js';
import { shareComputation, type Compute, type SharedComputation } from './shared-computation.js';

export interface CacheLookup<Value> {
  readonly value: Value;
  /** True when this call did not compute: it was remembered, or another call was already computing it. */
  readonly cached: boolean;
}

export interface Sought<Value> {
  /** Of two ways to read one text: what was read in one is not found in the other. */
  readonly variant?: string | undefined;
  /** Whether a value has all that this caller needs, as what it computes has. Without it any value will do. */
  readonly suffices?: ((value: Value) => boolean) | undefined;
}

export interface ProbabilityCache<Value> {
  /**
   * The remembered value for a text, or the outcome of `compute`. A failure is passed on to all who wait and not remembered.
   *
   * @param asker.project what another project has computed already is waited for in a turn of one's own
   * @param asker.signal this caller no longer waits: nothing is begun for one that has gone. What is computed is given up when nobody
   * else waits for it either
   */
  get(text: string, compute: Compute<Value>, asker?: Asker, sought?: Sought<Value>): Promise<CacheLookup<Value>>;
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

  function begin(key: string, { suffices }: Sought<Value>): SharedComputation<Value> {
    const others = suffices === undefined ? computing : computingFull;
    const computation: SharedComputation<Value> = shareComputation((value) => {
      // One that is full may have been remembered meanwhile.
      if (value !== undefined && (suffices !== undefined || !remembered.has(key))) remembered.set(key, value);
      if (others.get(key) === computation) others.delete(key);
    });
    others.set(key, computation);
    return computation;
  }

  function recall(key: string, { suffices }: Sought<Value>): Value | undefined {
    const known = remembered.get(key);
    if (known === undefined || suffices?.(known) === false) return undefined;
    hits += 1;
    return known;
  }

  return {
    async get(text, compute, asker = {}, sought = {}) {
      const key = keyOf(options.namespace, text, sought.variant);
      const known = recall(key, sought);
      if (known !== undefined) return { value: known, cached: true };
      const { project, signal } = asker;
      signal?.throwIfAborted();
      const shared = (sought.suffices === undefined ? computing : computingFull).get(key);
      if (shared !== undefined) {
        hits += 1;
        return { value: await shared.wait(project, compute, signal), cached: true };
      }
      misses += 1;
      return { value: await begin(key, sought).wait(project, compute, signal), cached: false };
    },
    stats: () => ({ entries: remembered.size, hits, misses }),
  };
}

/** SHA-256 over the exact UTF-16 units: UTF-8 would give texts that differ in lone surrogates one key. */
function keyOf(namespace: string, text: string, variant = ''): string {
  return hash('sha256', Buffer.from(`${namespace}\0${variant}\0${text}`, 'utf16le'), 'base64');
}
