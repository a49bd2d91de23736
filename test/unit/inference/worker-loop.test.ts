/** Promises of a worker: what it reads of a text, and what it does when its model cannot be loaded or is another one by now. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerLoop, type Model } from '../../../src/inference/workers/worker-loop.js';

const SEGMENT = { segment: 0, start: 0, end: 1, tokens: 1, unreadTokens: 0, labels: [0.5], sentiments: [1] };
const TASKS = [{ text: 'a' }];

const ONE_SEQUENCE: Model<string> = {
  sequencesOf: ({ text }) => [text],
  judge: (batch) => Promise.resolve(batch.map(() => SEGMENT)),
};

/** Reads a text of two sentences as a whole too, and tells what it was asked to judge. */
function modelOfWholes(said: { exited?: boolean; highest?: number[] }) {
  const asked: string[] = [];
  const model: Model<string> = {
    sequencesOf: ({ text }) => [text],
    wholeOf: (sequences) => (sequences.length > 1 ? sequences.join(' ') : undefined),
    judge(batch) {
      asked.push(...batch);
      return Promise.resolve(batch.map((run) => ({ ...SEGMENT, tokens: run.length, ...said })));
    },
  };
  return { model, asked };
}

function createLoop(load: () => Promise<void> = () => Promise.resolve(), model = ONE_SEQUENCE, tokensOf = () => 1) {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-loop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'model.onnx');
  writeFileSync(path, 'checked');
  const sha256 = createHash('sha256').update('checked').digest('hex');
  const run = createWorkerLoop<string>({
    settings: {
      maxTokens: 16,
      maxTexts: 1,
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
  expect(await run(TASKS)).toEqual([
    { failure: expect.stringContaining('was replaced while the service ran') as string },
  ]);
  writeFileSync(path, 'checked');
  expect(await run(TASKS)).toMatchObject([{ judged: [SEGMENT] }]);
});

it('a worker that could not load tries again, and takes its time to refuse once more', async () => {
  let attempts = 0;
  const { run } = createLoop(() => {
    attempts += 1;
    return attempts <= 2 ? Promise.reject(new Error('no memory')) : Promise.resolve();
  });
  expect(await run(TASKS)).toEqual([{ failure: expect.stringContaining('no memory') as string }]);
  const begun = performance.now();
  expect(await run(TASKS)).toEqual([{ failure: expect.stringContaining('no memory') as string }]);
  expect(performance.now() - begun).toBeGreaterThan(900);
  expect(await run(TASKS)).toMatchObject([{ judged: [SEGMENT] }]);
});

const SENTENCES = 'One is here. Two is there.';

it('a text of which the whole tells what the worst segment is is read by its segments only where they are wanted', async () => {
  const { model, asked } = modelOfWholes({ highest: [0.9] });
  const { run } = createLoop(undefined, model);
  const [result] = await run([{ text: SENTENCES }]);
  expect(asked).toEqual([SENTENCES]);
  expect(result).toMatchObject({ whole: { highest: [0.9] }, judged: [], unjudged: [] });
  const [wanted] = await run([{ text: SENTENCES, spans: true }]);
  expect(asked).toEqual([SENTENCES, SENTENCES, 'One is here.', 'Two is there.']);
  expect(wanted).toMatchObject({ whole: { highest: [0.9] }, judged: [{ tokens: 12 }, { tokens: 13 }] });
});

it('a text of several scripts is read by its segments alone', async () => {
  const { model, asked } = modelOfWholes({ highest: [0.9] });
  const { run } = createLoop(undefined, model);
  const parts = ['сегодня чудесная погода', 'you are an idiot', 'желаю вам удачи'];
  const [result] = await run([{ text: parts.join(' ') }]);
  expect(asked).toEqual(parts);
  expect(result).toMatchObject({ whole: undefined, judged: [{}, {}, {}] });
});

it('of a segment nothing is told but what it says itself', async () => {
  const { model } = modelOfWholes({ highest: [0.9] });
  const { run } = createLoop(undefined, model);
  const [result] = await run([{ text: 'One is here.' }]);
  expect(result).toMatchObject({ whole: undefined, judged: [{ ...SEGMENT, tokens: 12 }] });
  expect(result).not.toHaveProperty('judged.0.highest');
});
