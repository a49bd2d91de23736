/** What a text costs where several run the network at once, in processes of their own and in threads of one: what many cores cost each other, and what threads do. */
import { fork } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { openNetwork, readManifest, type EncodedText } from 'parapet/engine';
import type { Table } from '../accuracy/report/table.js';
import { describeMachine } from '../load/figures/machine.js';
import { median } from '../load/figures/percentiles.js';
import { createModelInputs } from '../load/texts/model-inputs.js';
import { loadTextPool } from '../load/texts/text-pool.js';
import type { MemberReply, MemberRequest } from './crowd-member.js';

export interface CrowdingOptions {
  readonly rounds: number;
  readonly measureMs: number;
  readonly modelFolder: string;
  readonly onProgress: (line: string) => void;
}

const WAYS = ['processes', 'threads'] as const;
type Way = (typeof WAYS)[number];

interface Member {
  tell(request: MemberRequest): void;
  next(): Promise<MemberReply>;
  stop(): void;
}

const TEXTS = 200;
const MEMBER = new URL('./crowd-member.js', import.meta.url);

/** In turns: one, two, four … up to as many as there are cores, in processes and in threads. */
export async function crowdingTable(options: CrowdingOptions): Promise<Table> {
  const { rounds, measureMs, modelFolder, onProgress } = options;
  const [loadAverage = 0] = loadavg();
  const { id, version, window } = await readManifest(modelFolder);
  const pool = await loadTextPool(undefined);
  const texts = (await createModelInputs(pool.texts, modelFolder, window.maxTokens)).short.slice(0, TEXTS);
  // Reports of ONNX Runtime are turned off for the process, which a thread cannot.
  await openNetwork(modelFolder);
  const counts = countsUpTo(availableParallelism());
  const found = new Map<string, number[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const count of counts) {
      for (const way of WAYS) {
        const ms = await measureOnce(way, count, { texts, modelFolder, measureMs });
        found.set(`${way} ${count}`, [...(found.get(`${way} ${count}`) ?? []), ms]);
        onProgress(`round ${round}: ${count} in ${way}: ${ms.toFixed(2)} ms a text`);
      }
    }
  }
  const of = (way: Way, count: number): number => median(found.get(`${way} ${count}`) ?? []) ?? NaN;
  const { processor, cores, system, node } = describeMachine();
  return {
    title: `Processor time of a text by how many run at once, ${id}@${version}, ${TEXTS} short texts, medians of ${rounds} rounds; ${processor}, ${cores} cores, ${system}, Node ${node}, load average ${loadAverage.toFixed(1)}`,
    headings: ['at once', ...WAYS.flatMap((way) => [`ms in ${way}`, 'to one'])],
    rows: counts.map((count) => [
      String(count),
      ...WAYS.flatMap((way) => [of(way, count).toFixed(2), (of(way, count) / of('processes', 1)).toFixed(2)]),
    ]),
  };
}

/** Powers of two, and the last. */
export function countsUpTo(cores: number): number[] {
  const counts: number[] = [];
  for (let count = 1; count < cores; count *= 2) counts.push(count);
  return [...counts, cores];
}

interface Measuring {
  readonly texts: readonly EncodedText[];
  readonly modelFolder: string;
  readonly measureMs: number;
}

/** @returns milliseconds of processor time a text */
async function measureOnce(way: Way, count: number, { measureMs, ...work }: Measuring): Promise<number> {
  const members = Array.from({ length: count }, way === 'processes' ? inProcess : inThread);
  try {
    for (const member of members) member.tell({ kind: 'texts', ...work });
    await Promise.all(members.map((member) => member.next()));
    const before = process.cpuUsage();
    for (const member of members) member.tell({ kind: 'begin', forMs: measureMs });
    const replies = await Promise.all(members.map((member) => member.next()));
    const { user, system } = process.cpuUsage(before);
    const done = replies.flatMap((reply) => (reply.kind === 'done' ? [reply] : []));
    const texts = done.reduce((sum, each) => sum + each.texts, 0);
    const ofProcesses = done.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    // Threads are of this process, which does nothing else meanwhile.
    return (way === 'processes' ? ofProcesses : (user + system) / 1000) / texts;
  } finally {
    for (const member of members) member.stop();
  }
}

function inProcess(): Member {
  const child = fork(MEMBER, { serialization: 'advanced' });
  return {
    tell: (request) => void child.send(request),
    next: () =>
      new Promise((resolve, reject) => {
        child.once('message', resolve);
        child.once('exit', () => reject(new Error('a process ended before it was done')));
      }),
    stop: () => void child.kill(),
  };
}

function inThread(): Member {
  const worker = new Worker(MEMBER);
  return {
    tell: (request) => worker.postMessage(request),
    next: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      }),
    stop: () => void worker.terminate(),
  };
}
