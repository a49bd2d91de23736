/** How many processors the process may use: as many as the system says, or fewer where its container has a limit (cgroup version 2 or 1). */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Node tells the processors on which the process may run, and of the time that it may take there only what its libuv knows: 20 nothing, and none
 * a limit of version 1.
 *
 * @param root of the file system
 * @returns a whole number, at least 1: what is left of a limit of 2.5 is for the HTTP thread
 */
export function usableProcessors(available = availableParallelism(), root = '/'): number {
  return Math.max(1, Math.floor(Math.min(available, processorLimit(root))));
}

/** The least of those of the process's group and all around it; Infinity where there is none, or no such system. */
function processorLimit(root: string): number {
  const groups = linesOf(join(root, 'proc/self/cgroup')).flatMap((line) => {
    const [, controllers, path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === '') return foldersUp(path).map((group) => ({ mount: '', group }));
    if (controllers?.split(',').includes('cpu') !== true) return [];
    return foldersUp(path).map((group) => ({ mount: controllers, group }));
  });
  const limits = groups.map(({ mount, group }) => {
    const folder = join(root, 'sys/fs/cgroup', mount, group);
    const [quota, period] =
      mount === ''
        ? (linesOf(join(folder, 'cpu.max'))[0]?.split(' ') ?? [])
        : [linesOf(join(folder, 'cpu.cfs_quota_us'))[0], linesOf(join(folder, 'cpu.cfs_period_us'))[0]];
    const limit = Number(quota) / Number(period);
    // "max" and -1 stand for none.
    return limit > 0 ? limit : Infinity;
  });
  return Math.min(Infinity, ...limits);
}

/** Up to the root: a container may see its own group there, under the path that it has outside. */
function foldersUp(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...foldersUp(parent)];
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
