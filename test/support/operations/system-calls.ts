/** Watches a process, and all that it starts, from the outside: what it connects to, sends and writes (strace). */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What opens a way out or leaves something behind. "?": not every processor has all of them. */
const CALLS = [
  ...['connect', 'sendto', 'sendmsg', 'sendmmsg'],
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'mknod', 'mknodat'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat'],
].map((call) => `?${call}`);

/** Some containers have strace and forbid it. */
export const canWatch = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

if (!canWatch) {
  process.stderr.write(
    'SKIPPED: the tests that nothing leaves the machine. They need strace and leave to use it (apt-get install strace).\n',
  );
}

/** Put before a command. The process is a child of whoever starts it as without it: the watcher stands aside (-D). */
export function watchedBy(record: string): readonly string[] {
  // -y tells which folder a relative path is in.
  return ['strace', '-D', '-f', '-y', '-q', '-o', record, '-e', `trace=${CALLS.join(',')}`];
}

/** What strace cannot see is left off: input and output that libuv hands to the kernel by io_uring. */
export const VISIBLE = { UV_USE_IO_URING: '0' };

/** Once the process has ended: everything that it did outside of its own folders, a line of the record each. */
export async function doneOutside(record: string, pid: number | undefined, own: readonly string[]): Promise<string[]> {
  const end = new RegExp(`^${pid ?? ''} +\\+\\+\\+ (exited|killed)`, 'm');
  let text = readFileSync(record, 'utf8');
  for (; !end.test(text); text = readFileSync(record, 'utf8')) await new Promise(setImmediate);
  return text.split('\n').filter((line) => reachesOut(line) || writtenBy(line).some((path) => !isWithin(path, own)));
}

/**
 * Also to this machine: resolvers listen there. Messages between parent and child have no address; AF_NETLINK asks the kernel which
 * network interfaces there are.
 */
function reachesOut(line: string): boolean {
  return /^\d+ +(connect|send\w+)\(.*\bsa_family=(?!AF_NETLINK)/.test(line);
}

/** Absolute paths. A call that failed counts: elsewhere it may succeed. */
function writtenBy(line: string): string[] {
  const [, call = '', argumentText = ''] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
  if (/^(connect|send)/.test(call)) return [];
  if (call.startsWith('open') && !/O_WRONLY|O_RDWR|O_CREAT/.test(argumentText)) return [];
  return [...argumentText.matchAll(/(?:<([^>]*)>, )?"([^"]*)"/g)].map(([, folder = '.', path = '']) =>
    resolve(folder, path),
  );
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return ['/dev', ...folders].some((folder) => path.startsWith(`${folder}/`) || path === folder);
}
