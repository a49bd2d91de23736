/** The file of last uses: a line of JSON for each key, so that 100,000 are read and written in small steps. Knows nothing of files. */
import { z } from 'zod';
import type { Steps } from './slices.js';

/** Milliseconds since 1970, by the id of the key. */
export type LastUses = Map<string, number>;

const lineSchema = z.object({ id: z.string(), lastUsedAt: z.iso.datetime() });
const LINE_BREAK = 0x0a;
const PIECE_LENGTH = 64 * 1024;

/** Adds to `uses`; of two times for a key the later counts, since another server may have seen it last. */
export function* addUses(uses: LastUses, added: ReadonlyMap<string, number>): Steps<void> {
  for (const [id, atMs] of added) {
    uses.set(id, Math.max(atMs, uses.get(id) ?? 0));
    yield;
  }
}

/** A damaged line counts for nothing: a time of last use is for people to look at, and the next use writes it anew. */
export function* parseUsage(bytes: Buffer): Steps<LastUses> {
  const uses: LastUses = new Map();
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(LINE_BREAK, from);
    const to = end === -1 ? bytes.length : end;
    const line = lineSchema.safeParse(jsonOrNothing(bytes.toString('utf8', from, to)));
    if (line.success) uses.set(line.data.id, Date.parse(line.data.lastUsedAt));
    from = to + 1;
    yield;
  }
  return uses;
}

/**
 * In pieces. A time that is still to come is written as `now`: it is of a clock that was ahead, and the use is over by now.
 */
export function* usageText(uses: LastUses, now: Date): Generator<string> {
  let piece = '';
  for (const [id, atMs] of uses) {
    const lastUsedAt = new Date(Math.min(atMs, now.getTime())).toISOString();
    piece += `${JSON.stringify({ id, lastUsedAt })}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
