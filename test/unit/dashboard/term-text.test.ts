/** The page reads and writes lists of terms as the command line and the service do. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { termsIn, textOfTerms } from '../../../src/dashboard/page/term-text.js';
import { readTermList, termListText } from '../../../src/policies/term-list-text.js';

const lines = fc
  .array(fc.oneof(fc.constantFrom('', ' ', '# note', '\\#metoo', '\\\\o/', 'a b', 'ä*', 'a b'), fc.string()))
  .chain((all) => fc.constantFrom('\n', '\r\n').map((end) => all.join(end)));

it('reads the same terms of a text as the command line', () => {
  fc.assert(
    fc.property(lines, (text) => {
      expect(termsIn(text)).toEqual(readTermList(text).terms);
    }),
  );
  expect(termsIn('\uFEFFone\n# note\n\\#metoo\none\n')).toEqual(['one', '#metoo']);
});

it('exports what it imports again', () => {
  fc.assert(
    fc.property(lines, (text) => {
      const terms = termsIn(text);
      expect(textOfTerms(terms)).toBe(termListText(terms));
      expect(termsIn(textOfTerms(terms))).toEqual(terms.map((term) => term.trim()).filter((term) => term !== ''));
    }),
  );
});
