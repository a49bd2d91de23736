/** Remembers when keys were last used and writes it to the key file now and then. Touches no other member of a key. */
import { updateKeyFile } from './key-file.js';
import type { KeyFileContents, KeyRecord } from './key-record.js';

export interface KeyUsage {
  note(id: string, at: Date): void;
  /** Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export interface KeyUsageDeps {
  readonly file: string;
  /** Called for the first failure in a row: a read-only folder would else be reported every minute. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export function createKeyUsage({ file, onProblem }: KeyUsageDeps): KeyUsage {
  let pending = new Map<string, number>();
  let failing = false;
  let flushing = Promise.resolve();

  function note(id: string, atMs: number): void {
    pending.set(id, Math.max(atMs, pending.get(id) ?? 0));
  }

  async function flushNow(): Promise<void> {
    if (pending.size === 0) return;
    const writing = pending;
    pending = new Map();
    try {
      await updateKeyFile(file, (current) => ({ next: withUsage(current, writing), result: undefined }));
      failing = false;
    } catch (error) {
      for (const [id, atMs] of writing) note(id, atMs);
      if (!failing) onProblem?.(error instanceof Error ? error.message : String(error));
      failing = true;
    }
  }

  return {
    note: (id, at) => note(id, at.getTime()),
    flush: () => (flushing = flushing.then(flushNow)),
  };
}

/**
 * Works on the file as it is now, under its lock, so that a key revoked or removed meanwhile stays so. Times only move forward:
 * another server may have seen the key later. Returns the same object where nothing moves.
 */
function withUsage(current: KeyFileContents, usage: ReadonlyMap<string, number>): KeyFileContents {
  const moves = ({ id, lastUsedAt }: KeyRecord): boolean =>
    (usage.get(id) ?? 0) > (lastUsedAt === null ? 0 : Date.parse(lastUsedAt));
  if (!current.keys.some(moves)) return current;
  return {
    ...current,
    keys: current.keys.map((record) =>
      moves(record) ? { ...record, lastUsedAt: new Date(usage.get(record.id) ?? 0).toISOString() } : record,
    ),
  };
}
