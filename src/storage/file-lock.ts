/** Lets one process at a time change a file, on one machine or on several that share the folder. Knows nothing of its content. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { errorCodeOf, OperatorError } from '../errors.js';

// A killed process leaves its lock behind; the next one may take it after this time. Living holders renew it twice as often.
const STALE_MS = 5_000;
// More than STALE_MS, so that a command started right after a crash waits and succeeds.
const WAIT_MS = 10_000;

/**
 * The lock is a folder `FILE.lock`; the file itself need not exist. Two processes that find the same abandoned lock can, in the
 * worst moment, both get it: `work` must therefore still compare the file's version before it replaces it.
 *
 * @throws OperatorError when others hold the lock for all of `waitMs`; the system's error when the folder cannot be written
 */
export async function withFileLock<Result>(
  file: string,
  work: () => Promise<Result>,
  waitMs = WAIT_MS,
): Promise<Result> {
  const release = await acquire(file, waitMs);
  try {
    return await work();
  } finally {
    // The work is done by now: a lock that cannot be removed grows stale by itself, and must not turn success into failure.
    await release().catch(() => undefined);
  }
}

async function acquire(file: string, waitMs: number): Promise<() => Promise<void>> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      // onCompromised would else throw from a timer and end the server; the version check covers a lock lost while we slept.
      return await lock(file, { realpath: false, stale: STALE_MS, onCompromised: () => undefined });
    } catch (error) {
      // ENOENT: another took our new lock for the stale one. The library's own retries would also wait on a read-only folder.
      const code = errorCodeOf(error);
      if (code !== 'ELOCKED' && code !== 'ENOENT') throw error;
      if (performance.now() >= deadline) {
        throw new OperatorError(
          `${file} is locked by another process for more than ${waitMs / 1000} s. Try again; if no process uses it, remove the folder ${file}.lock.`,
          { cause: error },
        );
      }
    }
    await delay(10 + Math.random() * 40);
  }
}
