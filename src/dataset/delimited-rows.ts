/** Reads CSV (RFC 4180) and TSV, with or without quotes and header, down to the wanted columns. */
import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import { MAX_RECORD_CHARACTERS, readLines } from './text-lines.js';

/** Which columns of a labelled file are wanted. */
export interface Columns {
  readonly text: string;
  readonly label: string | undefined;
  /** Further columns with labels. */
  readonly moreLabels?: readonly string[];
  /** The column that says which groups a row belongs to. */
  readonly group?: string | undefined;
}

/** What the readers give for a record: the cells of the wanted columns. */
export interface Cells {
  readonly text: string;
  /** Those of `label` and `moreLabels`, in this order. */
  readonly labels: readonly string[];
  /** Names of groups. A cell that is empty or `null` names none. */
  readonly groups: readonly string[];
}

export function labelColumnsOf({ label, moreLabels = [] }: Columns): readonly string[] {
  return label === undefined ? [] : [label, ...moreLabels];
}

export interface DelimitedOptions {
  readonly delimiter: string;
  /** Whether fields may stand in double quotes. Many TSV files have no quoting: a quote in them is a character like any other. */
  readonly quoted: boolean;
  readonly header: boolean;
  readonly columns: Columns;
  /** Rows that will be read, Infinity for all: the parser works ahead and should not stumble over what nobody asks for. */
  readonly limit: number;
}

/** Blank lines are passed over, save in an unquoted file of one column, which has no other way to write an empty text. */
export async function* readDelimited(chunks: AsyncIterable<string>, options: DelimitedOptions): AsyncGenerator<Cells> {
  let pick: ((record: readonly string[]) => Cells) | undefined;
  for await (const record of options.quoted ? quotedRecords(chunks, options) : plainRecords(chunks, options)) {
    if (pick === undefined) {
      pick = picker(options.header ? record : record.map((_, index) => String(index)), options.columns);
      if (options.header) continue;
    }
    yield pick(record);
  }
}

function picker(available: readonly string[], columns: Columns): (record: readonly string[]) => Cells {
  const text = indexOf(available, columns.text);
  const labels = labelColumnsOf(columns).map((column) => indexOf(available, column));
  const groups = columns.group === undefined ? [] : [indexOf(available, columns.group)];
  return (record) => ({
    text: at(record, text),
    labels: labels.map((label) => at(record, label)),
    groups: groups.map((group) => at(record, group)),
  });
}

function indexOf(available: readonly string[], column: string): number {
  const index = available.indexOf(column);
  if (index === -1) throw new OperatorError(`there is no column "${column}"; there are: ${available.join(', ')}`);
  if (available.includes(column, index + 1)) throw new OperatorError(`there are two columns "${column}"`);
  return index;
}

function at(record: readonly string[], index: number): string {
  const value = record[index];
  // Both readers below refuse records of another length than the first.
  if (value === undefined) throw new Error('a record is shorter than the first one');
  return value;
}

async function* plainRecords(chunks: AsyncIterable<string>, { delimiter }: DelimitedOptions): AsyncGenerator<string[]> {
  let width: number | undefined;
  for await (const line of readLines(chunks)) {
    const record = line.text.split(delimiter);
    if (line.text === '' && width !== 1) continue;
    width ??= record.length;
    if (record.length !== width) throw new OperatorError(unevenLine(line.number));
    yield record;
  }
}

const fields = z.array(z.string());

async function* quotedRecords(
  chunks: AsyncIterable<string>,
  { delimiter, header, limit }: DelimitedOptions,
): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    ...(limit === Infinity ? {} : { to: header ? limit + 1 : limit }),
  });
  // A failure of the source reaches the loop below as the parser's; the callback only keeps it from being thrown twice.
  pipeline(Readable.from(chunks), parser, () => undefined);
  try {
    for await (const record of parser) yield fields.parse(record);
  } catch (error) {
    throw error instanceof CsvError ? new OperatorError(reasonOf(error), { cause: error }) : error;
  }
}

const position = z.object({ lines: z.int() });

/** The parser's own messages quote the text. */
function reasonOf(error: CsvError): string {
  const line = position.safeParse(error).data?.lines ?? 0;
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return unevenLine(line);
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'the file ends within a quoted field: some quote is not closed';
    case 'CSV_MAX_RECORD_SIZE':
      return `the record at line ${line} does not end: some quote is not closed`;
    default:
      return `line ${line} has a quote where none may stand (RFC 4180: quotes enclose the whole field and are doubled inside it)`;
  }
}

function unevenLine(line: number): string {
  return `line ${line} has more or fewer columns than the first line`;
}
