/** One process of the raw loop: one session with one intra-op thread, as a worker of the service has, and nothing else. */
import { openNetwork } from 'parapet/engine';
import { readUsage } from '../targets/process-usage.js';
import { judgeText } from './judge-text.js';
import type { SessionRequest, SessionResult } from './raw-loop.js';

const [, , modelFolder = ''] = process.argv;

const session = await openNetwork(modelFolder);

process.on('message', (request: SessionRequest) => {
  // A failure ends the process, which raw-loop.ts notices.
  void measure(request).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function measure({ texts, warmUpMs, measureMs }: SessionRequest): Promise<SessionResult> {
  let [runs, tokens] = [0, 0];
  async function run(one: Int32Array): Promise<boolean> {
    runs += 1;
    tokens += one.length;
    return session.run(one);
  }
  const network = { tellsHighest: session.tellsHighest, run };
  let next = 0;
  async function judgeNext(): Promise<void> {
    const text = texts[next];
    if (text !== undefined) await judgeText(text, network);
    next = (next + 1) % texts.length;
  }
  const beginMs = performance.now();
  while (performance.now() - beginMs < warmUpMs) await judgeNext();
  [runs, tokens] = [0, 0];
  const first = next;
  const before = await readUsage(process.pid);
  const timesMs: number[] = [];
  const measuredFromMs = performance.now();
  let nowMs = measuredFromMs;
  while (nowMs - measuredFromMs < measureMs) {
    const startedMs = nowMs;
    await judgeNext();
    nowMs = performance.now();
    timesMs.push(nowMs - startedMs);
  }
  const after = await readUsage(process.pid);
  const cpuSeconds = before === null || after === null ? null : after.cpuSeconds - before.cpuSeconds;
  return { first, timesMs, elapsedMs: nowMs - measuredFromMs, cpuSeconds, runs, tokens };
}
