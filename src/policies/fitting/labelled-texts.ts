/** Which column says what of a text, and what its cells say. Knows nothing of probabilities. */
import { isPlainLabel, isPositive } from '../../dataset/flag-cell.js';
import { StoreRefusal } from '../../errors.js';
import type { LabelCategory } from '../../moderation/categories.js';
import { columnIn, isTooLong, recordsIn } from '../preview-texts.js';

export interface LabelledText {
  readonly text: string;
  /** Whether it is of the category. Absent where its label does not say. */
  readonly truth: ReadonlyMap<LabelCategory, boolean>;
  /** Whether it should fail, where that is known apart from categories. */
  readonly shouldFail?: boolean;
}

/** The column that says of a text whether it is of the category. */
export type LabelColumns = ReadonlyMap<LabelCategory, string>;

export interface LabelColumnChoice {
  /** Columns of one category each. */
  readonly own: ReadonlyMap<LabelCategory, string>;
  /** One that says for all others whether a text should fail. */
  readonly shared?: string | undefined;
  /** Those to fit: by default those with a column of their own, and of the shared one those that fail a text. */
  readonly categories?: readonly LabelCategory[] | undefined;
}

/** @param failing categories that fail a text under the policy @throws StoreRefusal that says which column is missing */
export function labelColumnsOf(choice: LabelColumnChoice, failing: readonly LabelCategory[]): LabelColumns {
  const { own, shared } = choice;
  const wanted = choice.categories ?? [...own.keys(), ...(shared === undefined ? [] : failing)];
  if (choice.categories === undefined && own.size === 0 && shared !== undefined) assertSome(failing);
  const columns = new Map<LabelCategory, string>();
  for (const category of wanted) {
    const column = own.get(category) ?? shared;
    if (column === undefined) throw new StoreRefusal('invalid', `Name the column that says what is ${category}.`);
    columns.set(category, column);
  }
  if (columns.size > 0) return columns;
  throw new StoreRefusal('invalid', 'Name the column with the labels.');
}

/** @param categories that fail a text under the policy @throws StoreRefusal */
export function assertSome(categories: readonly LabelCategory[]): void {
  if (categories.length > 0) return;
  throw new StoreRefusal('invalid', 'No category fails a text under this policy: name the categories to fit.');
}

/** @returns undefined of a text that cannot be judged: a blank one, or one that is too long */
export function labelledText(
  text: string,
  columns: LabelColumns,
  cellOf: (column: string) => string,
  positive: string | undefined,
): LabelledText | undefined {
  if (text.trim() === '' || isTooLong(text)) return undefined;
  const truth = new Map<LabelCategory, boolean>();
  for (const [category, column] of columns) {
    const cell = cellOf(column);
    if (positive !== undefined || isPlainLabel(cell)) truth.set(category, isPositive(cell, positive));
  }
  return { text, truth };
}

export interface LabelledTexts {
  readonly texts: readonly LabelledText[];
  /** Rows whose text cannot be judged. */
  readonly leftOut: number;
}

export interface LabelledCsv {
  readonly csv: string;
  readonly textColumn?: string | undefined;
  readonly columns: LabelColumns;
  /** The label of texts that are so; without it 1, true and numbers from 0.5 on. */
  readonly positive?: string | undefined;
  readonly mostRows?: number | undefined;
}

/** @throws StoreRefusal that says what is wrong with the CSV */
export function labelledTextsInCsv({ csv, textColumn, columns, positive, mostRows }: LabelledCsv): LabelledTexts {
  const [header = [], ...records] = recordsIn(csv, ',', mostRows);
  const textAt = columnIn(header, textColumn);
  const places = new Map([...new Set(columns.values())].map((column) => [column, columnIn(header, column)]));
  const texts = records.flatMap((record) => {
    const cellOf = (column: string): string => record[places.get(column) ?? -1] ?? '';
    return labelledText(record[textAt] ?? '', columns, cellOf, positive) ?? [];
  });
  return { texts, leftOut: records.length - texts.length };
}
