/** Takes texts out of what an operator has at hand: pasted lines, or a column of a CSV. Knows nothing of policies. */
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { StoreRefusal } from '../errors.js';

export interface PreviewText {
  /** From 1: the line, or the record of the CSV after its header. */
  readonly row: number;
  readonly text: string;
  /** Of the decision that it was kept with. */
  readonly decisionId?: string;
}

const MOST_CHARACTERS = 10_000;

/** To be judged. */
export function isTooLong(text: string): boolean {
  return text.length > MOST_CHARACTERS && Array.from(text).length > MOST_CHARACTERS;
}

/** Tried in this order where no column is named. */
const TEXT_COLUMNS = ['text', 'content', 'comment', 'message'];

/**
 * A text a line; blank lines are none.
 *
 * @param mostRows lines with blank ones
 * @throws StoreRefusal for a line that is too long to be judged, and for too many
 */
export function textsInLines(lines: string, mostRows = Infinity): PreviewText[] {
  let rows = 1;
  for (let end = lines.indexOf('\n'); end !== -1 && rows <= mostRows; end = lines.indexOf('\n', end + 1)) rows += 1;
  if (rows > mostRows) throw tooManyRows(mostRows);
  return judgeable(lines.split(/\r?\n/).map((text, index) => ({ row: index + 1, text: text.trim() })));
}

export interface CsvOptions {
  /** By default the only one, or one that is called so. */
  readonly textColumn?: string | undefined;
  readonly delimiter?: ',' | '\t';
  /** Records after the header. */
  readonly mostRows?: number | undefined;
}

/** Many times a text that can be judged: what is longer is a quote that does not close, or no CSV. */
const MOST_RECORD_CHARACTERS = 1024 * 1024;

const recordsSchema = z.array(z.array(z.string()));

/** The first record names the columns; quotes as in RFC 4180. @throws StoreRefusal that says what is wrong with it */
export function textsInCsv(csv: string, { textColumn, delimiter = ',', mostRows }: CsvOptions = {}): PreviewText[] {
  const [header = [], ...records] = recordsIn(csv, delimiter, mostRows);
  const column = columnIn(header, textColumn);
  return judgeable(records.map((record, index) => ({ row: index + 1, text: record[column] ?? '' })));
}

/** Reads no further than one record too many. @throws StoreRefusal that quotes nothing of it */
export function recordsIn(csv: string, delimiter: string, mostRows = Infinity): string[][] {
  try {
    const records = recordsSchema.parse(
      parse(csv, {
        bom: true,
        delimiter,
        skip_empty_lines: true,
        max_record_size: MOST_RECORD_CHARACTERS,
        ...(mostRows !== Infinity && { to: mostRows + 2 }),
      }),
    );
    if (records.length > mostRows + 1) throw tooManyRows(mostRows);
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser's own message quotes the text.
    throw new StoreRefusal(
      'invalid',
      error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
        ? 'The CSV has a record with more or fewer columns than its first line.'
        : 'The CSV has a quote that is not closed, or that stands where none may (RFC 4180).',
    );
  }
}

/** @param wanted by default the only one, or one that is called as such columns are */
export function columnIn(header: readonly string[], wanted: string | undefined): number {
  const found = wanted ?? (header.length === 1 ? header[0] : TEXT_COLUMNS.find((name) => header.includes(name)));
  const index = header.indexOf(found ?? '');
  if (index !== -1) return index;
  const there = header.length === 0 ? 'none' : header.slice(0, 20).join(', ');
  throw new StoreRefusal(
    'invalid',
    wanted === undefined
      ? `Say which column of the CSV has the texts. There are: ${there}.`
      : `The CSV has no such column. There are: ${there}.`,
  );
}

function tooManyRows(mostRows: number): StoreRefusal {
  return new StoreRefusal('invalid', `There are more than ${mostRows} rows in it. The command line takes more.`);
}

function judgeable(texts: readonly PreviewText[]): PreviewText[] {
  const tooLong = texts.find(({ text }) => isTooLong(text));
  if (tooLong !== undefined) {
    throw new StoreRefusal('invalid', `The text in row ${tooLong.row} has more than ${MOST_CHARACTERS} characters.`);
  }
  return texts.filter(({ text }) => text.trim() !== '');
}
