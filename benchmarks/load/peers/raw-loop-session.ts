/** One process of the raw loop: one session with one intra-op thread, as a worker of the service has, and nothing else. */
import { turnOffTelemetry } from '../../../src/inference/onnx/no-telemetry.js';
import { openSession, Tensor } from '../../../src/inference/onnx/session.js';
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
  const feeds = texts.map((windows) =>
    windows.map((ids) => ({
      input_ids: new Tensor('int32', ids, [1, ids.length]),
      attention_mask: new Tensor('int32', new Int32Array(ids.length).fill(1), [1, ids.length]),
    })),
  );
  let next = 0;
  const judgeNext = async (): Promise<void> => {
    for (const feed of feeds[next] ?? []) await session.run(feed);
    next = (next + 1) % feeds.length;
  };
  const beginMs = performance.now();
  while (performance.now() - beginMs < warmUpMs) await judgeNext();
  const timesMs: number[] = [];
  const measuredFromMs = performance.now();
  let nowMs = measuredFromMs;
  while (nowMs - measuredFromMs < measureMs) {
    const startedMs = nowMs;
    await judgeNext();
    nowMs = performance.now();
    timesMs.push(nowMs - startedMs);
  }
  return { timesMs, elapsedMs: nowMs - measuredFromMs };
}
