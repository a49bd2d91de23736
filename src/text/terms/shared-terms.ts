/** An operator's terms on their way to the workers: written once into memory that all of them read. Finds nothing itself. */
import type { Terms } from '../../asker.js';
import type { TermLists } from './term-matcher.js';

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
