/** Promises of a worker: what it reads of a text, and what it does when its model cannot be loaded or is another one by now. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerLoop, type Model } from '../../../src/inference/workers/worker-loop.js';

const SEGMENT = { start: 0, end: 1, tokens: 1, unreadTokens: 0, labels: [0.5], sentiments: [1] };
const PORTION = [{ text: 'a' }];

const ONE_RUN: Model<string> = {
  runsOf: ({ text }) => [text],
  windowsOf: (segments) => segments.map((runs) => [...runs]),
  judge: () => Promise.resolve(SEGMENT),
};

/** Reads all of a text at once, and tells what it was asked to judge. */
function modelOfWindows({ exited = false, highest }: { exited?: boolean; highest?: readonly number[] }) {
  const asked: string[] = [];
  const model: Model<string> = {
    runsOf: ({ text }) => [text],
    windowsOf: (segments) => [segments.flat()],
    judge(window) {
      const text = window.join(' ');
      asked.push(text);
      return Promise.resolve({ ...SEGMENT, tokens: text.length, exited, ...(highest && { highest }) });
    },
  };
  return { model, asked };
}

function createLoop(
  load: () => Promise<void> = () => Promise.resolve(),
  model = ONE_RUN,
  tokensOf: (window: readonly string[]) => number = () => 1,
) {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-loop-'));
  const listeners = process.listeners('uncaughtException');
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    // A loop listens until its thread ends, which this one does not.
    for (const listener of process.listeners('uncaughtException')) {
      if (!listeners.includes(listener)) process.off('uncaughtException', listener);
    }
  });
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
      return model;
    },
    tokensOf,
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
  expect(await run(PORTION)).toMatchObject([{ judged: [{ reading: SEGMENT, isSegment: true }], unjudged: [] }]);
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
  expect(await run(PORTION)).toMatchObject([{ judged: [{ reading: SEGMENT, isSegment: true }], unjudged: [] }]);
});

const SENTENCES = 'One is here. Two is there.';
const [ONE, TWO] = ['One is here.', 'Two is there.'];
const WINDOW = { tokens: SENTENCES.length };

it('a text that is certainly harmless as a whole is not read by its segments, and counts as one', async () => {
  for (const highest of [undefined, [0.7]]) {
    const { model, asked } = modelOfWindows({ exited: true, ...(highest && { highest }) });
    const { run } = createLoop(undefined, model);
    const [result] = await run([{ text: SENTENCES, spans: true }]);
    expect(asked).toEqual([SENTENCES]);
    expect(result).toMatchObject({ judged: [{ reading: WINDOW, isSegment: true }], unjudged: [] });
    expect(result).not.toHaveProperty('judged.0.reading.highest');
    expect(result).not.toHaveProperty('judged.0.alone');
  }
});

it('of any other text of one run the segments are read as well, where the network cannot tell the worst of them', async () => {
  const { model, asked } = modelOfWindows({});
  const { run } = createLoop(undefined, model);
  const [result] = await run([{ text: SENTENCES }]);
  expect(asked).toEqual([SENTENCES, ONE, TWO]);
  expect(result).toMatchObject({
    judged: [{ reading: WINDOW, isSegment: false, alone: [{ tokens: 12 }, { tokens: 13 }] }],
    unjudged: [],
  });
});

it('segments are not read where the network tells the worst of them, unless spans are wanted', async () => {
  const { model, asked } = modelOfWindows({ highest: [0.7] });
  const { run } = createLoop(undefined, model);
  const [without] = await run([{ text: SENTENCES }]);
  expect(asked).toEqual([SENTENCES]);
  expect(without).toMatchObject({ judged: [{ reading: { ...WINDOW, highest: [0.7] } }], unjudged: [] });
  const [withSpans] = await run([{ text: SENTENCES, spans: true }]);
  expect(asked.slice(1)).toEqual([SENTENCES, ONE, TWO]);
  expect(withSpans).toMatchObject({
    judged: [{ reading: { ...WINDOW, highest: [0.7] }, alone: [{ tokens: 12 }, { tokens: 13 }] }],
    unjudged: [],
  });
});

it('of a segment alone the network is not asked for the worst one', async () => {
  const { model, asked } = modelOfWindows({ highest: [0.7] });
  const { run } = createLoop(undefined, model);
  const [result] = await run([{ text: ONE, spans: true }]);
  expect(asked).toEqual([ONE]);
  expect(result).toMatchObject({ judged: [{ reading: { labels: [0.5] }, isSegment: true }], unjudged: [] });
  expect(result).not.toHaveProperty('judged.0.reading.highest');
});

it.each([
  ['whose worst the network cannot tell', {}, {}],
  ['that spans are wanted of', { highest: [0.7] }, { spans: true }],
])('segments of more than one full run %s go back unjudged, with what the window says', async (_what, told, asking) => {
  const { model, asked } = modelOfWindows(told);
  const { run } = createLoop(undefined, model, () => 9);
  const [result] = await run([{ text: SENTENCES, ...asking }]);
  expect(asked).toEqual([SENTENCES]);
  expect(result).toMatchObject({ judged: [{ reading: WINDOW, isSegment: false }], unjudged: [[ONE, TWO]] });
});

it('windows of more than one full run go back unjudged, whether spans are wanted or not', async () => {
  const { model, asked } = modelOfWindows({ highest: [0.7] });
  const alone: Model<string> = { ...model, windowsOf: (segments) => segments.map((runs) => [...runs]) };
  const { run } = createLoop(undefined, alone, () => 9);
  for (const spans of [false, true]) {
    const [result] = await run([{ text: SENTENCES, spans }]);
    expect(result).toMatchObject({ judged: [], unjudged: [[ONE], [TWO]] });
  }
  expect(asked).toEqual([]);
});

it('windows that come back are judged in order, without their segments', async () => {
  const { model, asked } = modelOfWindows({ highest: [0.7] });
  const { run } = createLoop(undefined, model);
  const [result] = await run([{ windows: [['a', 'b'], ['c']] }]);
  expect(asked).toEqual(['a b', 'c']);
  expect(result).toMatchObject({
    judged: [
      { reading: { highest: [0.7] }, isSegment: false },
      { reading: { labels: [0.5] }, isSegment: true },
    ],
    unjudged: [],
  });
});
