/** Lists of terms as a worker reads them. */
import { compileTerms, type TermLists } from '../../../src/text/terms/compiled-terms.js';
import { termsAt, type CompiledTerms } from '../../../src/text/terms/term-matcher.js';

export function termsOf(lists: TermLists): CompiledTerms {
  return termsAt({ memory: compileTerms(lists), offset: 0 });
}
