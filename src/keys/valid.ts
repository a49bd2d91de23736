/** Checks what a store is asked for against its schema. */
import type { z } from 'zod';
import { StoreRefusal } from './refusal.js';

/** @throws StoreRefusal that names each member and what is wrong with it */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StoreRefusal(
    'invalid',
    parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '),
  );
}
