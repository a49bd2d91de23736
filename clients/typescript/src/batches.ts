/** Puts texts into requests as large as the service takes them. Sends nothing. */
import type { BatchItem } from './types.js';

export const MAX_BATCH_ITEMS = 128;
export const MAX_BATCH_BYTES = 4_194_304;

/** A text, or one with a name of yours. */
export type Text = string | BatchItem;
/** The items of one request, each as JSON. */
export type Batch = readonly string[];

const encoder = new TextEncoder();
/** Each item has one comma more than are needed. */
const EMPTY_BYTES = bodyOf([]).length - 1;

export async function* batches(
  texts: Iterable<Text> | AsyncIterable<Text>,
  size: number,
): AsyncGenerator<Batch, void, undefined> {
  if (typeof texts === 'string') throw new TypeError('one text where many are expected: give an array');
  let batch: string[] = [];
  let bytes = EMPTY_BYTES;
  for await (const text of texts) {
    const item = JSON.stringify(typeof text === 'object' ? text : { content: text });
    const more = encoder.encode(item).length + 1;
    if (batch.length > 0 && bytes + more > MAX_BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], EMPTY_BYTES];
    }
    batch.push(item);
    bytes += more;
    if (batch.length >= size) {
      yield batch;
      [batch, bytes] = [[], EMPTY_BYTES];
    }
  }
  if (batch.length > 0) yield batch;
}

export function bodyOf(batch: Batch): string {
  return `{"items":[${batch.join(',')}]}`;
}
