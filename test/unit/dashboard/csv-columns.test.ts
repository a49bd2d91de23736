/** The page offers the columns that the service finds in a CSV. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnsIn } from '../../../src/dashboard/page/policies/csv-columns.js';
import { recordsIn } from '../../../src/policies/preview-texts.js';

const name = fc.oneof(fc.constantFrom('text', 'a "b"', 'x,y', 'two\nlines', 'ä'), fc.string({ minLength: 1 }));
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

it('reads the first record as the service does, quoted or not, with a byte order mark or blank lines before it', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (names, end) => {
      const csv = `${names.map(quoted).join(',')}${end}${names.map(() => 'cell').join(',')}${end}`;
      expect(columnsIn(csv)).toEqual(recordsIn(csv, ',')[0]);
    }),
  );
  expect(columnsIn('\uFEFF\r\nid,"the ""text""",label\r\n1,2,3')).toEqual(['id', 'the "text"', 'label']);
  expect(columnsIn('only')).toEqual(['only']);
});
