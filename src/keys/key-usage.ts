/**
 * When keys were last used, in a file of its own beside the key file: use then changes nothing that a server must read anew, and a
 * fault of this file stops nothing.
 */
import { OperatorError } from '../errors.js';
import { replaceFile } from './atomic-write.js';
import { besideKeyFile } from './beside-key-file.js';
import { withFileLock } from './file-lock.js';
import type { FileVersion } from './file-version.js';
import type { KeyRecord } from './key-record.js';
import { readLargeFile, readRegularFile } from './regular-file.js';
import { atOnce, inSlices } from './slices.js';
import { errorCodeOf } from './system-error.js';
import { addUses, parseUsage, usageText, type LastUses } from './usage-lines.js';

export interface KeyUsage {
  note(id: string, at: Date): void;
  /** Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export interface KeyUsageDeps {
  /** The key file. */
  readonly file: string;
  readonly now: () => Date;
  /** Called for the first failure in a row: a read-only folder would else be reported every minute. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export function createKeyUsage({ file: keysFile, now, onProblem }: KeyUsageDeps): KeyUsage {
  const file = besideKeyFile(keysFile, 'usage.jsonl');
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
      await withFileLock(file, async () => {
        const { bytes, version } = await readOrNothing(file);
        const uses = await inSlices(parseUsage(bytes));
        await inSlices(addUses(uses, writing));
        if (!(await replaceFile(file, usageText(uses, now()), version)))
          throw new OperatorError(`${file} changed meanwhile.`);
      });
      failing = false;
    } catch (error) {
      for (const [id, atMs] of writing) note(id, atMs);
      if (!failing) onProblem?.(`The last use of keys could not be written: ${reasonOf(error, file)}`);
      failing = true;
    }
  }

  return {
    note: (id, at) => note(id, at.getTime()),
    flush: () => (flushing = flushing.then(flushNow)),
  };
}

/** The keys with their last use. Blocks. Where the file of uses cannot be read, keys are shown without it. */
export function withLastUse(keysFile: string, keys: readonly KeyRecord[], now: Date): readonly KeyRecord[] {
  let uses: LastUses = new Map();
  try {
    uses = atOnce(parseUsage(readRegularFile(besideKeyFile(keysFile, 'usage.jsonl')).bytes));
  } catch {
    // The server that cannot read it either reports it when it writes.
  }
  return keys.map((key) => keyWith(key, uses, now));
}

/** As above for one key, in slices. */
export async function withItsLastUse(keysFile: string, key: KeyRecord, now: Date): Promise<KeyRecord> {
  const { bytes } = await readOrNothing(besideKeyFile(keysFile, 'usage.jsonl')).catch(() => NOTHING);
  return keyWith(key, await inSlices(parseUsage(bytes)), now);
}

/** The later of what the file of uses says and, from earlier versions, the key file. */
function keyWith(key: KeyRecord, uses: LastUses, now: Date): KeyRecord {
  const atMs = Math.max(uses.get(key.id) ?? 0, key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt));
  // A clock that was ahead leaves times that are still to come. What is known of such a use is that it is over.
  return atMs === 0 ? key : { ...key, lastUsedAt: new Date(Math.min(atMs, now.getTime())).toISOString() };
}

const NOTHING = { bytes: Buffer.alloc(0), version: undefined };

async function readOrNothing(file: string): Promise<{ bytes: Buffer; version: FileVersion }> {
  try {
    return await readLargeFile(file);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    return NOTHING;
  }
}

function reasonOf(error: unknown, file: string): string {
  const code = errorCodeOf(error);
  if (code !== undefined) return `${file} (${code}). Check the rights of its folder.`;
  return error instanceof Error ? error.message : String(error);
}
