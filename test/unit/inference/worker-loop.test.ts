/** Promises of a worker whose model cannot be loaded, or is another one by now. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerLoop } from '../../../src/inference/workers/worker-loop.js';

const SEGMENT = { start: 0, end: 1, tokens: 1, unreadTokens: 0, labels: [0.5], sentiments: [1] };
const PORTION = [{ text: 'a' }];

function createLoop(load: () => Promise<void> = () => Promise.resolve()) {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-loop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'model.onnx');
  writeFileSync(path, 'checked');
  const sha256 = createHash('sha256').update('checked').digest('hex');
  const run = createWorkerLoop<string>({
    settings: {
      maxTokens: 16,
      scripts: ['Latin'],
      abandoned: new Int32Array(1),
      files: [{ path, sha256 }],
    },
    load: async () => {
      await load();
      return { runsOf: ({ text }) => [text], judge: () => Promise.resolve(SEGMENT) };
    },
    tokensOf: () => 1,
  });
  return { run, path };
}

it('a worker loads only the files that were checked when the service started', async () => {
  const { run, path } = createLoop();
  writeFileSync(path, 'newer');
  expect(await run(PORTION)).toEqual([
    { failure: expect.stringContaining('was replaced while the service ran') as string },
  ]);
  writeFileSync(path, 'checked');
  expect(await run(PORTION)).toMatchObject([{ judged: [SEGMENT] }]);
});

it('a worker that could not load tries again, and takes its time to refuse once more', async () => {
  let attempts = 0;
  const { run } = createLoop(() => {
    attempts += 1;
    return attempts <= 2 ? Promise.reject(new Error('no memory')) : Promise.resolve();
  });
  expect(await run(PORTION)).toEqual([{ failure: expect.stringContaining('no memory') as string }]);
  const begun = performance.now();
  expect(await run(PORTION)).toEqual([{ failure: expect.stringContaining('no memory') as string }]);
  expect(performance.now() - begun).toBeGreaterThan(900);
  expect(await run(PORTION)).toMatchObject([{ judged: [SEGMENT] }]);
});
