import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { usableProcessors } from '../../../src/config/processors.js';

function fileSystem(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'parapet-cgroup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const V2 = { 'proc/self/cgroup': '0::/\n' };
const V1 = '5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n';

it.each([
  ['no cgroup at all', {}, 8],
  ['version 2, no limit', { ...V2, 'sys/fs/cgroup/cpu.max': 'max 100000\n' }, 8],
  ['version 2, two processors', { ...V2, 'sys/fs/cgroup/cpu.max': '200000 100000\n' }, 2],
  ['version 2, two and a half', { ...V2, 'sys/fs/cgroup/cpu.max': '250000 100000\n' }, 2],
  ['version 2, a tenth', { ...V2, 'sys/fs/cgroup/cpu.max': '10000 100000\n' }, 1],
  ['version 2, more than there are', { ...V2, 'sys/fs/cgroup/cpu.max': '3200000 100000\n' }, 8],
  [
    'version 2, the group around it has less',
    {
      'proc/self/cgroup': '0::/system.slice/parapet.service\n',
      'sys/fs/cgroup/system.slice/parapet.service/cpu.max': '600000 100000\n',
      'sys/fs/cgroup/system.slice/cpu.max': '300000 100000\n',
    },
    3,
  ],
  [
    'version 1, under the path that the group has outside of the container',
    {
      'proc/self/cgroup': V1,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '150000\n',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '50000\n',
    },
    3,
  ],
  [
    'version 1, no limit',
    {
      'proc/self/cgroup': V1,
      'sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us': '-1\n',
      'sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us': '100000\n',
    },
    8,
  ],
  ['what nobody can read', { ...V2, 'sys/fs/cgroup/cpu.max': 'what?' }, 8],
])('of eight processors the process may use: %s', (_case, files, expected) => {
  expect(usableProcessors(8, fileSystem(files))).toBe(expected);
});
