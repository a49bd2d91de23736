/** Promises of term lists as plain text: what can be found is kept, the rest reported by its line, and a written list reads the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from '../../../support/terms/compiled-terms.js';
import { formatTermList } from '../../../../src/text/terms/term-lines.js';
import { parseTermList } from '../../../../src/text/terms/term-list.js';

describe('a term list', () => {
  it('is a term a line, without comments, blank lines and a byte order mark, whatever ends a line', () => {
    const text = '\uFEFF# ours\r\nidiot\r\n\r\n  black magic  \n#x\n\\#metoo\rC++\n笨蛋';
    expect(parseTermList(text)).toEqual({
      terms: ['idiot', 'black magic', '#metoo', 'C++', '笨蛋'],
      duplicates: [],
      unmatchable: [],
    });
  });

  it('reports terms that are there already, written alike or not', () => {
    expect(parseTermList('idiot\nStraße\n# x\nIDIÓT\nstrasse\nblack-magic\nblack  magic\n1d10t')).toEqual({
      terms: ['idiot', 'Straße', 'black-magic'],
      duplicates: [
        { term: 'IDIÓT', line: 4, firstLine: 1 },
        { term: 'strasse', line: 5, firstLine: 2 },
        { term: 'black  magic', line: 7, firstLine: 6 },
        { term: '1d10t', line: 8, firstLine: 1 },
      ],
      unmatchable: [],
    });
  });

  it.each([
    ['...', /^has no letter/],
    ['\u200b', /^has no letter/],
    ['*', /stands alone/],
    ['kill * now', /stands alone/],
    ['笨*蛋', /stands alone/],
    ['a*b*c', /too many \*/],
    ['*a*b', /too many \*/],
    ['x'.repeat(101), /longer than 100/],
    ['a\ud800b', /half of a character/],
  ])('reports %j, which no text can match', (term, reason) => {
    const { terms, unmatchable } = parseTermList(`idiot\n${term}\n`);
    expect(terms).toEqual(['idiot']);
    expect(unmatchable).toEqual([{ term, line: 2, reason: expect.stringMatching(reason) as string }]);
    expect(termsOf({ blocked: [term], ignored: [] }).find(`a ${term} b`).isEmpty).toBe(true);
  });

  it('reads the same once it is written', () => {
    const term = fc.oneof(
      fc.constantFrom('#metoo', '\\#x', '\\', 'C#', 'black magic', 'cunt*', '笨蛋', '\\\\#'),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(term, { maxLength: 8 }), (candidates) => {
        const { terms } = parseTermList(candidates.join('\n'));
        expect(parseTermList(formatTermList(terms))).toEqual({ terms, duplicates: [], unmatchable: [] });
      }),
    );
  });
});
