/** The audit log as JSON Lines, and whether such lines are still the chain that was written. Knows no database. */
import { z } from 'zod';
import { readLines } from '../dataset/text-lines.js';
import { OperatorError } from '../errors.js';
import { isWhole, type AuditEntry } from './audit-log.js';

const entrySchema = z.strictObject({
  sequence: z.int().min(1),
  at: z.int(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  details: z.string(),
  previous: z.string(),
  hash: z.string(),
});

export async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

export interface WholeLog {
  readonly count: number;
  readonly first: AuditEntry | undefined;
  readonly last: AuditEntry | undefined;
}

/** @param text oldest first. @throws OperatorError that names the line which is no entry, was changed, or does not follow the one before it */
export async function verified(text: AsyncIterable<string>): Promise<WholeLog> {
  let [count, first, last]: [number, AuditEntry | undefined, AuditEntry | undefined] = [0, undefined, undefined];
  for await (const line of readLines(text)) {
    count += 1;
    const entry = entryIn(line.text);
    if (entry === undefined) throw new OperatorError(`line ${count} is no entry of an audit log`);
    if (!isWhole(entry, last)) {
      throw new OperatorError(
        `line ${count}, entry ${entry.sequence}, was changed, or what stood before it was changed or taken out`,
      );
    }
    first ??= entry;
    last = entry;
  }
  return { count, first, last };
}

function entryIn(line: string): AuditEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
