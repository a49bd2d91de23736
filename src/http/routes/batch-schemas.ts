/** What goes over the wire at POST /v1/analyze/batch: many texts, and for each its verdict or its own problem. */
import { z } from 'zod';
import { problemDataOf, type ProblemData } from '../../errors.js';
import { complaint, readWith } from '../body/validation.js';
import { analyzeBody, analyzeResponse, problemResponse } from './schemas.js';

export const MAX_BATCH_ITEMS = 128;

/**
 * 128 items of 10,000 characters of up to three bytes. Not of the longest that escaped characters could make: the body is parsed
 * in one go, and for that time nobody else is answered.
 */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

const MAX_ID_CHARACTERS = 128;

export const batchItem = analyzeBody.extend({
  id: z
    .string()
    .max(MAX_ID_CHARACTERS, { error: `must be at most ${MAX_ID_CHARACTERS} characters` })
    .optional()
    .meta({ description: "The caller's own name for the item. It comes back with the result and is not logged." }),
});

const itemsOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, { error: (issue) => (issue.input === undefined ? 'is required' : 'must be an array') })
    .min(1, { error: 'must not be empty' })
    .max(MAX_BATCH_ITEMS, { error: `must be at most ${MAX_BATCH_ITEMS}` });

/** What is to be judged of an item, or why nothing is. */
export type BatchItem = { readonly id?: string } & (
  { readonly content: string; readonly metadata: unknown } | { readonly refusal: ProblemData }
);

/** Only the id is read of an item whose other members may be anything. */
const identified = z.object({ id: batchItem.shape.id });

function readItem(item: unknown): BatchItem {
  const named = identified.safeParse(item);
  const id = named.success && named.data.id !== undefined ? { id: named.data.id } : {};
  const parsed = readWith(batchItem, item);
  return parsed.success
    ? { ...id, content: parsed.data.content, metadata: parsed.data.metadata }
    : { ...id, refusal: problemDataOf(complaint(parsed.error, item, 'item')) };
}

/** What a request is held against: items of any shape, since a bad one must not spoil the others. */
export const batchBody = z.object({ items: itemsOf(z.unknown()).transform((items) => items.map(readItem)) });

/** What the API description says of it. */
export const batchRequest = z.object({ items: itemsOf(batchItem) });

const id = z.string().optional();
export const batchResult = z
  .union([z.object({ id, verdict: analyzeResponse }), z.object({ id, problem: problemResponse })])
  .meta({ description: 'Has `verdict` where the item was judged, else `problem`.' });
export type BatchResult = z.output<typeof batchResult>;

export const batchResponse = z.object({
  results: z.array(batchResult).meta({ description: 'One for each item, in the order of the items.' }),
  processingTimeMs: z.int().min(0),
});
export type BatchResponse = z.output<typeof batchResponse>;
