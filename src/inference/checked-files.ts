/**
 * A worker that starts in another's place, hours after the service, must load the model that was checked at the start: what stands in
 * the folder may be a newer one by then, whose probabilities would meet the thresholds of the older.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

export interface CheckedFile {
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A stream of the usual 64 KiB takes three times as long. */
const BYTES_AT_ONCE = 1 << 18;

/**
 * Blocks its thread, which has nothing else to do yet.
 *
 * @throws Error that names the first file that is another one now; the system's error where one cannot be read
 */
export function assertUnchanged(files: readonly CheckedFile[]): void {
  for (const { path, sha256 } of files) {
    if (sha256Of(path) !== sha256) {
      throw new Error(`${path} was replaced while the service ran: restart the service, or put the earlier file back`);
    }
  }
}

/** Hexadecimal. Blocks its thread. @throws the system's error where the file cannot be read */
export function sha256Of(path: string): string {
  const bytes = Buffer.allocUnsafeSlow(BYTES_AT_ONCE);
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readSync(file, bytes);
      if (length === 0) return hash.digest('hex');
      hash.update(bytes.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
