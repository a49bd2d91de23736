/** CPU time of a Node process by kind of thread, from Linux's /proc. Elsewhere there are no such figures. */
import { readdir, readFile } from 'node:fs/promises';
import { parseStat } from './process-usage.js';

/** CPU seconds. */
export interface ThreadUsage {
  /** The first thread, whose id is that of the process: in the service it speaks HTTP. */
  readonly http: number;
  /** Threads that give way to the others: the service starts its workers with a higher nice value, and nothing else in it. */
  readonly workers: number;
  /** All others: V8's (garbage collection, compilation) and libuv's (files). */
  readonly helpers: number;
}

/** @returns null where there is no /proc, or the process has ended */
export async function readThreads(pid: number): Promise<ThreadUsage | null> {
  try {
    const ids = await readdir(`/proc/${pid}/task`);
    // A thread may end while the others are read.
    const stats = await Promise.all(
      ids.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'latin1').catch(() => '')),
    );
    return sumByKind(pid, stats);
  } catch {
    return null;
  }
}

/** @param stats the files `stat` of all threads, see proc(5) */
export function sumByKind(pid: number, stats: readonly string[]): ThreadUsage {
  const threads = stats.filter((stat) => stat !== '').map(parseStat);
  // Not that of the first: `renice` of a process changes its first thread and no other.
  const leastNice = Math.min(...threads.filter(({ id }) => id !== pid).map(({ nice }) => nice));
  const sum = { http: 0, workers: 0, helpers: 0 };
  for (const { id, nice, cpuSeconds } of threads) {
    sum[id === pid ? 'http' : nice > leastNice ? 'workers' : 'helpers'] += cpuSeconds;
  }
  return sum;
}
