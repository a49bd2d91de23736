/** What a worker makes of an operator's terms. Apart from shared-terms.ts, since it loads the dictionaries, which the HTTP thread needs not. */
import { LRUCache } from 'lru-cache';
import { compileTerms, type CompiledTerms, type TermLists } from './term-matcher.js';
import type { SharedTerms } from './shared-terms.js';

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
