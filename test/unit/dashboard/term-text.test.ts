/** The page reads and writes lists of terms as the command line and the service do. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { termsIn, textOfTerms } from '../../../src/dashboard/page/term-text.js';
import { formatTermList, parseTermList } from '../../../src/text/terms/term-list.js';

const lines = fc
  .array(fc.oneof(fc.constantFrom('', ' ', '# note', '\\#metoo', '\\\\#x', '\\o/', 'a b', 'ä*', 'a b'), fc.string()))
  .chain((all) => fc.constantFrom('\n', '\r\n').map((end) => all.join(end)));

it('reads all terms that the command line reads, and those that it tells of', () => {
  fc.assert(
    fc.property(lines, (text) => {
      const { terms, duplicates, unmatchable } = parseTermList(text);
      const read = new Set([...terms, ...[...duplicates, ...unmatchable].map(({ term }) => term)]);
      expect(new Set(termsIn(text))).toEqual(read);
    }),
  );
  expect(termsIn('\uFEFFone\n# note\n\\#metoo\none\n')).toEqual(['one', '#metoo']);
});

it('exports what it imports again', () => {
  fc.assert(
    fc.property(lines, (text) => {
      const terms = termsIn(text);
      expect(textOfTerms(terms)).toBe(formatTermList(terms));
      expect(termsIn(textOfTerms(terms))).toEqual(terms);
    }),
  );
});
