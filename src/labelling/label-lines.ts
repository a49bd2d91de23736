/** Labels as a file: a column for each category, to fit a policy or to train a model with, or requests that hand them to Coop. */
import { cellOf } from '../decisions/export.js';
import { LABEL_CATEGORIES } from '../moderation/categories.js';
import type { TextLabel } from './label-record.js';

export const LABEL_FORMATS = ['jsonl', 'csv', 'coop'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];

const COLUMNS = ['text', 'language', 'source', 'should_pass', ...LABEL_CATEGORIES] as const;
/** Items of one request. */
const MOST_ITEMS = 100;

/** @param coopType id of the item type that Coop knows the texts by */
export function labelLines(
  labels: AsyncIterable<TextLabel>,
  format: LabelFormat,
  coopType: string | undefined,
): AsyncGenerator<string> {
  if (format === 'csv') return csvLines(labels);
  return format === 'jsonl' ? jsonLines(labels) : coopRequests(labels, coopType ?? '');
}

async function* csvLines(labels: AsyncIterable<TextLabel>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const label of labels) {
    const record = recordOf(label);
    yield `${COLUMNS.map((column) => cellOf(record[column] ?? null)).join(',')}\r\n`;
  }
}

/** What nobody said is not there. */
async function* jsonLines(labels: AsyncIterable<TextLabel>): AsyncGenerator<string> {
  for await (const label of labels) yield `${JSON.stringify(recordOf(label))}\n`;
}

/** A line is the body of a request to Coop's `POST /api/v1/items/async/`. */
async function* coopRequests(labels: AsyncIterable<TextLabel>, typeId: string): AsyncGenerator<string> {
  let items: object[] = [];
  for await (const { id, text, language, shouldPass, truth } of labels) {
    const categories = [...truth].flatMap(([category, isSo]) => (isSo ? [category] : []));
    const data = { text, language, should_pass: shouldPass, categories: categories.join(' ') };
    items.push({ id, typeId, data });
    if (items.length < MOST_ITEMS) continue;
    yield `${JSON.stringify({ items })}\n`;
    items = [];
  }
  if (items.length > 0) yield `${JSON.stringify({ items })}\n`;
}

type LabelRecord = Partial<Record<(typeof COLUMNS)[number], string | number>>;

function recordOf({ text, language, source, shouldPass, truth }: TextLabel): LabelRecord {
  return {
    text,
    ...(language !== undefined && { language }),
    source,
    ...(shouldPass !== undefined && { should_pass: Number(shouldPass) }),
    ...Object.fromEntries([...truth].map(([category, isSo]) => [category, Number(isSo)])),
  };
}
