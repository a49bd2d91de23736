/**
 * A store as JSON Lines: a head that says what this is, a line for each item, and an end with their number, so that half a file is not taken for a
 * whole one.
 */
import { z } from 'zod';
import { OperatorError } from '../../errors.js';
import { storedItemSchema, type StoredItem } from './stored-item.js';

const VERSION = 1;

const headSchema = z.object({ parapet: z.literal('store'), version: z.int() });
const endSchema = z.object({ kind: z.literal('end'), items: z.int() });

export async function* linesOf(items: AsyncIterable<StoredItem>): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  let count = 0;
  yield line({ parapet: 'store', version: VERSION });
  for await (const item of items) {
    count += 1;
    yield line(item);
  }
  yield line({ kind: 'end', items: count });
}

/** @throws OperatorError with the number of the line, without what stands in it */
export async function* itemsIn(lines: AsyncIterable<{ number: number; text: string }>): AsyncGenerator<StoredItem> {
  let count = 0;
  let ended = false;
  let begun = false;
  for await (const { number, text } of lines) {
    const value = jsonIn(text, number);
    if (!begun) {
      assertHead(value);
      begun = true;
      continue;
    }
    if (ended) throw new OperatorError(`line ${number} stands after the end of the export`);
    const end = endSchema.safeParse(value).data;
    if (end === undefined) {
      count += 1;
      yield itemOf(value, number);
    } else if (end.items === count) ended = true;
    else throw new OperatorError(`it has ${count} items, and should have ${end.items}: it is not whole`);
  }
  if (!begun) throw noExport();
  if (!ended) throw new OperatorError('it ends too early: it is not whole');
}

function jsonIn(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (number === 1) throw noExport();
    throw new OperatorError(`line ${number} is not valid JSON`);
  }
}

function assertHead(value: unknown): void {
  const head = headSchema.safeParse(value).data;
  if (head === undefined) throw noExport();
  if (head.version > VERSION) {
    throw new OperatorError(`it is of version ${head.version}, and this Parapet knows none after version ${VERSION}`);
  }
}

function noExport(): OperatorError {
  return new OperatorError('it is not what "npx parapet store export" writes');
}

function itemOf(value: unknown, number: number): StoredItem {
  const { data, error } = storedItemSchema.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new OperatorError(`line ${number} is damaged (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`);
}
