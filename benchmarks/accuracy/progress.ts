/** How far the judging is: one line that is rewritten on a terminal, a new line every ten seconds elsewhere. */

export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Progress {
  rowDone(): void;
  /** Clears the line on a terminal. */
  end(): void;
}

export interface ProgressOptions {
  readonly stream: ProgressStream;
  readonly total: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const TERMINAL_EVERY_MS = 200;
const LOG_EVERY_MS = 10_000;
const CLEAR_LINE = '\r\u001b[K';

export function createProgress({ stream, total, now = () => performance.now() }: ProgressOptions): Progress {
  const terminal = stream.isTTY === true;
  const begunMs = now();
  let done = 0;
  let shownMs = begunMs;
  return {
    rowDone() {
      done += 1;
      const atMs = now();
      if (atMs - shownMs < (terminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return;
      shownMs = atMs;
      const line = describeProgress(done, total, (atMs - begunMs) / 1000);
      stream.write(terminal ? `${CLEAR_LINE}${line}` : `${line}\n`);
    },
    end() {
      if (terminal) stream.write(CLEAR_LINE);
    },
  };
}

export function describeProgress(done: number, total: number, seconds: number): string {
  const perSecond = done / seconds;
  const percent = Math.floor((100 * done) / total);
  const rate = perSecond.toFixed(perSecond < 10 ? 1 : 0);
  return `${done} of ${total} rows (${percent}%), ${rate} rows/s, ${durationOf((total - done) / perSecond)} left`;
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
