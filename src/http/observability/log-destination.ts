/** Where log lines go: standard output or standard error, many in one write. Knows nothing of what they say. */
import { pino } from 'pino';

/** A write to a pipe costs as much as the rest of a cached answer. Lines are written when there are this many bytes of them… */
const MIN_WRITE_BYTES = 8 * 1024;
/**
 * Where several processes write to one pipe, what one writes at once must be no more than the system keeps together, and hold whole lines: 4096 bytes
 * (PIPE_BUF of pipe(7)).
 */
const SHARED_PIPE = { minLength: 2048, maxWrite: 4096 };
/** …or when they are this old. What a process that is killed has not written by then is lost. */
const MAX_AGE_MS = 100;
/** Beyond this, lines are dropped: whoever reads them stands still, and the service must not. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

export type LogStream = 'stdout' | 'stderr';

/** Writes what is left when the process ends, unless it is killed. @param isShared whether other processes write there as well */
export function createLogDestination(stream: LogStream, isShared = false): ReturnType<typeof pino.destination> {
  return pino.destination({
    dest: stream === 'stdout' ? 1 : 2,
    sync: false,
    minLength: MIN_WRITE_BYTES,
    ...(isShared && SHARED_PIPE),
    periodicFlush: MAX_AGE_MS,
    maxLength: MAX_WAITING_BYTES,
  });
}
