/**
 * A worker that starts in another's place, hours after the service, must load the model that was checked at the start: what stands in
 * the folder may be a newer one by then, whose probabilities would meet the thresholds of the older.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export interface CheckedFile {
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** @throws Error that names the first file that is another one now; the system's error where one cannot be read */
export async function assertUnchanged(files: readonly CheckedFile[]): Promise<void> {
  for (const { path, sha256 } of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    if (hash.digest('hex') !== sha256) {
      throw new Error(`${path} was replaced while the service ran: restart the service, or put the earlier file back`);
    }
  }
}
