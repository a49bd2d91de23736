/** CPU time and memory of a process and all that it started, from Linux's /proc. Elsewhere there are no such figures. */
import { readdir, readFile } from 'node:fs/promises';

export interface Usage {
  readonly cpuSeconds: number;
  /** Resident memory, in which a page that is mapped several times counts once in all: each session maps the weights. */
  readonly memoryMegabytes: number;
}

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** @returns null where there is no /proc, or the process has ended */
export async function readUsage(pid: number): Promise<Usage | null> {
  try {
    const own = parseUsage(
      await readFile(`/proc/${pid}/stat`, 'latin1'),
      await readFile(`/proc/${pid}/smaps_rollup`, 'latin1'),
    );
    const children = await Promise.all((await childrenOf(pid)).map(readUsage));
    return children.reduce<Usage>(
      (sum, child) => ({
        cpuSeconds: sum.cpuSeconds + (child?.cpuSeconds ?? 0),
        memoryMegabytes: sum.memoryMegabytes + (child?.memoryMegabytes ?? 0),
      }),
      own,
    );
  } catch {
    return null;
  }
}

/** @param stat and @param rollup the files `stat` and `smaps_rollup`, see proc(5) */
export function parseUsage(stat: string, rollup: string): Usage {
  const kilobytes = Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]);
  return { cpuSeconds: parseStat(stat).cpuSeconds, memoryMegabytes: (kilobytes * 1024) / 1e6 };
}

/** @param stat the file of this name of a process or thread */
export function parseStat(stat: string): { readonly id: number; readonly cpuSeconds: number; readonly nice: number } {
  // The second field is the command in parentheses, which may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
  return { id: parseInt(stat, 10), cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND, nice: Number(fields[16]) };
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter((part) => part !== '')).map(Number);
}
