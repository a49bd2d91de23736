/** Reads labelled texts out of a file that an operator has: a CSV, or JSON Lines, with columns as an export of labels has them. Pure. */
import { isPlainLabel, isPositive } from '../dataset/flag-cell.js';
import { StoreRefusal } from '../errors.js';
import { LABEL_CATEGORIES } from '../moderation/categories.js';
import { columnIn, isTooLong, recordsIn } from '../policies/preview-texts.js';
import type { GivenLabel } from './label-record.js';

/** Either a CSV or JSON Lines. */
export interface LabelFile {
  readonly csv?: string | undefined;
  readonly jsonl?: string | undefined;
}

export interface LabelsInFile {
  readonly labels: readonly GivenLabel[];
  /** Rows whose text is blank or too long, or of which no label says anything. */
  readonly leftOut: number;
}

export const MOST_LABEL_ROWS = 20_000;

const SHOULD_PASS = 'should_pass';
const LABEL_COLUMNS = [SHOULD_PASS, ...LABEL_CATEGORIES] as const;
const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

type Cells = (column: string) => string;

/** @throws StoreRefusal that says what is wrong with the file, and quotes nothing of it */
export function labelsIn({ csv, jsonl }: LabelFile): LabelsInFile {
  const rows = csv === undefined ? rowsOfJsonLines(jsonl ?? '') : rowsOfCsv(csv);
  const labels = rows.flatMap((cells) => labelOf(cells) ?? []);
  return { labels, leftOut: rows.length - labels.length };
}

function rowsOfCsv(csv: string): Cells[] {
  const [header = [], ...records] = recordsIn(csv, ',', MOST_LABEL_ROWS);
  const textAt = columnIn(header, undefined);
  if (!LABEL_COLUMNS.some((column) => header.includes(column))) {
    throw new StoreRefusal('invalid', `The CSV has no column of labels: name them ${LABEL_COLUMNS.join(', ')}.`);
  }
  const places = new Map(header.map((column, index) => [column, index]));
  return records.map(
    (record): Cells =>
      (column) =>
        record[column === 'text' ? textAt : (places.get(column) ?? -1)] ?? '',
  );
}

function rowsOfJsonLines(jsonl: string): Cells[] {
  const lines = jsonl.split(/\r?\n/);
  const rows: Cells[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    if (rows.length === MOST_LABEL_ROWS)
      throw new StoreRefusal('invalid', `There are more than ${MOST_LABEL_ROWS} lines in it: send it in parts.`);
    const record = objectIn(line, index + 1);
    rows.push((column) => {
      const value = Object.hasOwn(record, column) ? record[column] : undefined;
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
    });
  }
  return rows;
}

function objectIn(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Below: the parser's own message quotes the text.
  }
  throw new StoreRefusal('invalid', `Line ${number} is no JSON object.`);
}

function labelOf(cells: Cells): GivenLabel | undefined {
  const text = cells('text');
  if (text.trim() === '' || isTooLong(text)) return undefined;
  const said = (column: string): boolean | undefined =>
    isPlainLabel(cells(column)) ? isPositive(cells(column), undefined) : undefined;
  const truth = new Map(
    LABEL_CATEGORIES.flatMap((category) => {
      const isSo = said(category);
      return isSo === undefined ? [] : [[category, isSo] as const];
    }),
  );
  const shouldPass = said(SHOULD_PASS);
  if (shouldPass === undefined && truth.size === 0) return undefined;
  const language = cells('language');
  return { text, language: LANGUAGE_TAG.test(language) ? language : undefined, shouldPass, truth };
}
