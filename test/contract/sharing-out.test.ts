/** How the texts of one call are shared out over the workers, with a runtime that tells which thread judged what. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Classifier, WindowProbabilities } from '../../src/inference/classifier.js';
import { createPooledClassifier } from '../../src/inference/workers/pooled-classifier.js';
import { builtUrl } from '../support/built.js';
import { testManifest } from '../support/manifest.js';

interface WordWindow {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** Each word is a window that fills a piece of work. A judgement's sentiments are the thread, how many it has judged, and nothing. */
const TELLING_WORKER = `
  import { threadId, workerData } from 'node:worker_threads';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { createWorkerLoop } from ${JSON.stringify(builtUrl('inference/workers/worker-loop.js').href)};

  let judged = 0;
  function plan(text) {
    if (text.startsWith('slowly')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return Array.from(text.matchAll(/\\S+/gu), ({ 0: word, index }) => ({ start: index, end: index + word.length, word }));
  }
  async function judge({ start, end, word }) {
    if (word === 'fail') throw new Error('of the test');
    await sleep(20);
    judged += 1;
    Atomics.add(workerData.judged, 0, 1);
    return { start, end, tokens: 1, unreadTokens: 0, labels: Array(9).fill(0), sentiments: [threadId, judged, 0] };
  }
  export default createWorkerLoop({ settings: workerData, load: () => Promise.resolve({ plan, judge }), tokensOf: () => 16 });
`;

/** @param judged counts the windows that were judged, by all workers */
async function load(threads: number, judged = new Int32Array(new SharedArrayBuffer(4))): Promise<Classifier> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-worker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'telling-worker.mjs');
  writeFileSync(file, TELLING_WORKER);
  const classifier = await createPooledClassifier<WordWindow, object>(
    { folder: 'models/telling', manifest: testManifest({ files: {} }), threads, maxQueue: 10 },
    { url: pathToFileURL(file), settings: { judged }, tokensOf: () => 16, readingOf: ({ word }) => word },
  );
  onTestFinished(() => classifier.close());
  return classifier;
}

const threadsOf = (windows: readonly WindowProbabilities[] = []): Set<number | undefined> =>
  new Set(windows.map(({ sentiments }) => sentiments[0]));
const placesOf = (windows: readonly WindowProbabilities[] = []): [number, number][] =>
  windows.map(({ start, end }) => [start, end]);

describe('the texts of one call', () => {
  it('go to different workers where they are short', async () => {
    const classifier = await load(2);
    const { texts } = await classifier.classify(['one', 'two']);
    expect(texts.map((windows) => windows.length)).toEqual([1, 1]);
    expect(threadsOf(texts.flat()).size).toBe(2);
  });

  it('come back in their order, whoever judged them', async () => {
    const classifier = await load(2);
    const words = Array.from({ length: 9 }, (_, index) => 'x'.repeat(index + 1));
    const { texts } = await classifier.classify(words);
    expect(texts.map(placesOf)).toEqual(words.map(({ length }) => [[0, length]]));
    expect(threadsOf(texts.flat()).size).toBe(2);
  });
});

describe('a part of a call', () => {
  it('is ended before the workers are, though another part has failed', async () => {
    const judged = new Int32Array(new SharedArrayBuffer(4));
    const classifier = await load(2, judged);
    await expect(classifier.classify(['fail', 'slowly cut words'])).rejects.toMatchObject({ code: 'model_not_ready' });
    await classifier.close();
    expect(judged[0]).toBe(3);
  });
});

describe('the windows of one text', () => {
  it('go to different workers from the first one on', async () => {
    const classifier = await load(2);
    const { texts } = await classifier.classify(['some two']);
    expect(placesOf(texts[0])).toEqual([[0, 4], [5, 8]]); // prettier-ignore
    expect(threadsOf(texts[0]).size).toBe(2);
  });

  it('are judged once where a version has them as well, and keep their own places', async () => {
    const classifier = await load(1);
    const long = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ');
    const { texts } = await classifier.classify([long], { versionsOf: () => [long, `a ${long}`] });
    const [first = [], second = []] = texts;
    expect(placesOf(second).slice(1)).toEqual(placesOf(first).map(([start, end]) => [start + 2, end + 2]));
    // Thirteen different words.
    expect(Math.max(...texts.flat().map(({ sentiments }) => sentiments[1] ?? 0))).toBe(13);
  });
});
