/** An operator's terms on their way to the workers: written into memory once, and compiled by each worker that needs them. Finds nothing itself. */
import { LRUCache } from 'lru-cache';
import type { Terms } from '../../asker.js';
import { compileTerms, type TermLists, type Terms as CompiledTerms } from '../../text/terms/term-matcher.js';

/** Costs next to nothing to send. */
export interface SharedTerms {
  readonly digest: string;
  /** TermLists in JSON, in memory that all threads share. */
  readonly json: Uint8Array<SharedArrayBuffer>;
}

/** @returns the same memory for the same object, as long as that lives */
export function createTermSharing(): (terms: Terms) => SharedTerms {
  const known = new WeakMap<Terms, SharedTerms>();
  return (terms) => {
    let shared = known.get(terms);
    if (shared === undefined) {
      const { blocked, ignored, digest } = terms;
      const bytes = new TextEncoder().encode(JSON.stringify({ blocked, ignored } satisfies TermLists));
      const json = new Uint8Array(new SharedArrayBuffer(bytes.length));
      json.set(bytes);
      shared = { digest, json };
      known.set(terms, shared);
    }
    return shared;
  };
}

/** What a worker keeps of compiled lists: those of some fifty projects with 10,000 terms each. */
const MOST_BYTES = 32 * 2 ** 20;
const BYTES_OF_ENTRY = 1000;

/** Compiling 10,000 terms takes some tenths of a second: once a worker and version of a policy. */
export function createTermCompiler(): (shared: SharedTerms) => CompiledTerms {
  const compiled = new LRUCache<string, CompiledTerms>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes + BYTES_OF_ENTRY,
  });
  return ({ digest, json }) => {
    let terms = compiled.get(digest);
    if (terms === undefined) {
      // A TextDecoder takes no shared memory.
      terms = compileTerms(JSON.parse(Buffer.from(json).toString('utf8')) as TermLists);
      compiled.set(digest, terms);
    }
    return terms;
  };
}
