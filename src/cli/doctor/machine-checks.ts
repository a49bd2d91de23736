/** What `doctor` says of the machine itself: Node, processor, clock. Knows nothing of the service. */
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { z } from 'zod';
import { inPackage } from '../../config/package-version.js';
import { usableProcessors } from '../../config/processors.js';
import { MINUTE_MS } from '../../durations.js';

export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
  /** What to do about it; there where the state is not ok. */
  readonly todo?: string;
}

/** The lines that CI runs the tests on, and those of them that still get fixes. */
const TESTED = [20, 22, 24];
const MAINTAINED = [22, 24];

/** @param version as in `v24.1.0` */
export function checkNode(version: string): Finding {
  const { engines } = z
    .object({ engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) })
    .parse(JSON.parse(readFileSync(inPackage('package.json'), 'utf8')));
  const [leastMajor = 0, leastMinor = 0] = engines.node.slice(2).split('.').map(Number);
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const name = 'node';
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    return {
      name,
      state: 'failed',
      says: `${version} is too old`,
      todo: `Install Node ${engines.node.slice(2)} or newer; best 24.`,
    };
  }
  if (!TESTED.includes(major)) {
    return { name, state: 'warning', says: `${version} is none that the tests run on`, todo: `Best is Node 24.` };
  }
  if (!MAINTAINED.includes(major)) {
    return { name, state: 'warning', says: `${version} works, and gets no fixes any more`, todo: 'Best is Node 24.' };
  }
  return { name, state: 'ok', says: version };
}

/** By the names of Linux: those that make arithmetic on 8-bit integers fast. */
const FEATURES = {
  x64: { needed: 'avx2', more: ['avx_vnni', 'avx512f', 'avx512_vnni', 'amx_int8'] },
  arm64: { needed: 'asimddp', more: ['i8mm', 'sve'] },
} as const;

/** @param cpuinfo the text of /proc/cpuinfo; empty where there is none */
export function checkProcessor(cpuinfo = readCpuinfo(), architecture: string = arch()): Finding {
  const name = 'processor';
  const cores = usableProcessors();
  const machine = [
    platform(),
    architecture,
    cLibrary(),
    `${cores} ${cores === 1 ? 'core' : 'cores'}`,
    cpus()[0]?.model.trim(),
  ];
  const says = machine.filter((part) => part !== undefined && part !== '').join(', ');
  if (architecture !== 'x64' && architecture !== 'arm64') {
    return {
      name,
      state: 'warning',
      says,
      todo: 'Nothing was tried on this kind of processor: x64 and arm64 are known.',
    };
  }
  const told = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuinfo)?.[1]?.trim().split(/\s+/);
  if (told === undefined) return { name, state: 'ok', says: `${says}; its features cannot be read here` };
  const { needed, more } = FEATURES[architecture];
  const found = [needed, ...more].filter((feature) => told.includes(feature));
  if (!found.includes(needed)) {
    const todo = `It works, and is slow: a processor with ${needed} judges several times as many texts.`;
    return { name, state: 'warning', says: `${says}; without ${needed}`, todo };
  }
  return { name, state: 'ok', says: `${says}; ${found.join(', ')}` };
}

function readCpuinfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
}

const report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });

/** Binaries of packages are mostly made for glibc, and some Linux has another. */
function cLibrary(): string | undefined {
  if (platform() !== 'linux') return undefined;
  const version = report.safeParse(process.report.getReport()).data?.header.glibcVersionRuntime;
  return version === undefined ? 'no glibc (musl?)' : `glibc ${version}`;
}

/** No release is older: a clock that stands before it was never set. */
const FIRST_RELEASE = Date.UTC(2026, 0, 1);

/** @param keys as they are kept: none can have been made in the future */
export function checkClock(now: Date, keys: readonly { readonly createdAt: string; readonly id: string }[]): Finding {
  const name = 'clock';
  const todo = 'Set the clock (NTP): keys expire, and sessions end, by it.';
  const ahead = keys.find(({ createdAt }) => Date.parse(createdAt) > now.getTime() + MINUTE_MS);
  if (now.getTime() < FIRST_RELEASE) return { name, state: 'failed', says: `it is not ${now.toISOString()}`, todo };
  if (ahead !== undefined) {
    return {
      name,
      state: 'failed',
      says: `it is ${now.toISOString()}, and key ${ahead.id} was made at ${ahead.createdAt}`,
      todo,
    };
  }
  return { name, state: 'ok', says: now.toISOString() };
}
