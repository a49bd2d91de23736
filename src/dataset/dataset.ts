/** A labelled file as a stream of rows: picks the reader by the file's name. Knows nothing of what the labels mean. */
import { OperatorError } from '../errors.js';
import { type Cells, type Columns, readDelimited } from './delimited-rows.js';
import { readJsonLines } from './json-lines.js';
import { readText } from './text-lines.js';

export const FORMATS = ['csv', 'tsv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

export interface Row extends Cells {
  /** From 0, in the order of the file; the header and blank lines do not count. */
  readonly row: number;
  /** The first of the labels. */
  readonly label: string | undefined;
}

export interface DatasetSource {
  readonly file: string;
  readonly format: Format;
  readonly columns: Columns;
  /** Whether the first record names the columns; without it they are called 0, 1, 2, ... */
  readonly header: boolean;
  /** Whether fields may stand in double quotes (RFC 4180). */
  readonly quoted: boolean;
  /** What stands between fields; a comma in .csv and a tab in .tsv where it is not given. */
  readonly delimiter?: string | undefined;
  /** What stands between the names of several groups in one cell; without it a cell is one name. */
  readonly groupSeparator?: string | undefined;
  /** Most rows to read; Infinity for all. */
  readonly limit: number;
}

export function formatOf(file: string): Format | undefined {
  const name = file.toLowerCase().replace(/\.gz$/, '');
  return FORMATS.find((format) => name.endsWith(`.${format}`));
}

/** Holds one record at a time. @throws OperatorError that names the file and, where there is one, the line */
export async function* readRows(source: DatasetSource): AsyncGenerator<Row> {
  let row = 0;
  try {
    for await (const cells of readCells(source)) {
      yield { row, ...cells, label: cells.labels[0], groups: groupsIn(cells.groups, source.groupSeparator) };
      row += 1;
      if (row >= source.limit) return;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw new OperatorError(`${source.file}: ${error.message}`, { cause: error });
    throw error;
  }
}

function readCells(source: DatasetSource): AsyncGenerator<Cells> {
  const text = readText(source.file);
  if (source.format === 'jsonl') return readJsonLines(text, source.columns);
  return readDelimited(text, { ...source, delimiter: source.delimiter ?? (source.format === 'csv' ? ',' : '\t') });
}

function groupsIn(cells: readonly string[], separator: string | undefined): readonly string[] {
  const names = separator === undefined ? cells : cells.flatMap((cell) => cell.split(separator));
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
