/** One process of the raw loop: one session with one intra-op thread, as a worker of the service has, and nothing else. */
import { turnOffTelemetry } from '../../../src/inference/onnx/no-telemetry.js';
import { openSession, Tensor } from '../../../src/inference/onnx/session.js';
import { readUsage } from '../targets/process-usage.js';
import { judgeText } from './judge-text.js';
import type { SessionRequest, SessionResult } from './raw-loop.js';

const [, , modelPath = ''] = process.argv;

turnOffTelemetry();
const session = await openSession(modelPath);

process.on('message', (request: SessionRequest) => {
  // A failure ends the process, which raw-loop.ts notices.
  void measure(request).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function measure({ texts, warmUpMs, measureMs }: SessionRequest): Promise<SessionResult> {
  const ids = texts.flatMap(({ whole, segments }) => (whole === undefined ? segments : [whole, ...segments]));
  const feeds = new Map(ids.map((one) => [one, feedOf(one)]));
  let [runs, tokens] = [0, 0];
  async function run(one: Int32Array): Promise<boolean> {
    const { exited } = await session.run(feeds.get(one) ?? feedOf(one));
    runs += 1;
    tokens += one.length;
    return exited?.data[0] === 1;
  }
  const network = { tellsHighest: session.outputNames.includes('highest'), run };
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

function feedOf(ids: Int32Array): Record<string, Tensor> {
  return {
    input_ids: new Tensor('int32', ids, [1, ids.length]),
    attention_mask: new Tensor('int32', new Int32Array(ids.length).fill(1), [1, ids.length]),
  };
}
