/** What a store will not do, told apart so that a caller can answer it: not a fault of a file or the machine. */
import type { z } from 'zod';
import { OperatorError } from './errors.js';

export type RefusalReason = 'unknown' | 'conflict' | 'invalid';

/** Thrown before anything was written. The message is fit for whoever asked. */
export class StoreRefusal extends OperatorError {
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}

/** What a store is asked for, checked against its schema. @throws StoreRefusal that names each member and what is wrong with it */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StoreRefusal(
    'invalid',
    parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '),
  );
}
