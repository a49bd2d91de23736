/** The columns of a CSV by its first record, with quotes as in RFC 4180, for a person to choose of. The service reads the rest. Pure. */

const FIELD = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/y;

/** Far beyond any header. */
const MOST_COLUMNS = 1000;

export function columnsIn(csv: string): string[] {
  const text = csv.replace(/^\uFEFF/, '').replace(/^(?:\r?\n)+/, '');
  const columns: string[] = [];
  FIELD.lastIndex = 0;
  while (columns.length < MOST_COLUMNS) {
    const [, quoted, plain = '', end] = FIELD.exec(text) ?? [];
    if (end === undefined) return [];
    columns.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') return columns;
  }
  return columns;
}
