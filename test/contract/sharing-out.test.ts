/** How the segments of a text are shared out over the workers, with a runtime that tells which thread judged what. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Classifier, Placed, Prediction } from '../../src/inference/classifier.js';
import { createPooledClassifier } from '../../src/inference/workers/pooled-classifier.js';
import { builtUrl } from '../support/built.js';
import { testManifest } from '../support/models/manifest.js';
import { workerFile } from '../support/models/worker-file.js';
import { harmlessText } from '../support/texts.js';

interface Sentence extends Placed {
  readonly text: string;
}

/** Each segment is a sequence that fills a task. A judgement's sentiments are the thread, how many it has judged, and nothing. */
const TELLING_WORKER = `
  import { threadId, workerData } from 'node:worker_threads';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { answerTasks, createWorkerLoop } from ${JSON.stringify(builtUrl('inference/workers/worker-loop.js').href)};

  let judged = 0;
  async function judge({ segment, start, end, text }) {
    if (text.startsWith('fail')) throw new Error('of the test');
    await sleep(20);
    judged += 1;
    Atomics.add(workerData.judged, 0, 1);
    return { segment, start, end, tokens: 1, unreadTokens: 0, labels: Array(9).fill(0), sentiments: [threadId, judged, 0] };
  }
  const load = () => Promise.resolve({ sequencesOf: (segment, index) => [{ ...segment, segment: index }], judge: (batch) => Promise.all(batch.map(judge)) });
  answerTasks(createWorkerLoop({ settings: workerData, load, tokensOf: () => 16 }));
`;

/** @param judged counts the sequences that were judged, by all workers */
async function load(threads: number, judged = new Int32Array(new SharedArrayBuffer(4))): Promise<Classifier> {
  const classifier = await createPooledClassifier<Sentence, object>(
    { folder: 'models/telling', manifest: testManifest({ files: {} }), threads, maxQueue: 10 },
    { url: workerFile(TELLING_WORKER), settings: { judged }, tokensOf: () => 16, inputOf: ({ text }) => text },
  );
  // What warms the workers up is not of the test.
  Atomics.store(judged, 0, 0);
  onTestFinished(() => classifier.close());
  return classifier;
}

const threadsOf = (segments: readonly Prediction[]): Set<number | undefined> =>
  new Set(segments.map(({ sentiments }) => sentiments[0]));

const LINES = Array.from({ length: 9 }, (_, index) => `this is line number ${'x'.repeat(index + 1)}`);

describe('the segments of a text', () => {
  it('go to different workers from the first one on', async () => {
    const classifier = await load(2);
    const { predictions: segments } = await classifier.classify(LINES.slice(0, 2).join('\n'));
    expect(segments).toHaveLength(2);
    expect(threadsOf(segments).size).toBe(2);
  });

  it('go to all workers where the text has 10,000 characters', async () => {
    const classifier = await load(4);
    const { predictions: segments } = await classifier.classify(harmlessText(10_000));
    expect(segments.length).toBeGreaterThan(100);
    expect(threadsOf(segments).size).toBe(4);
  });

  it('come back in their order and at their places, whoever judged them', async () => {
    const classifier = await load(2);
    const text = LINES.join('\n');
    const { predictions: segments, sequences } = await classifier.classify(text);
    expect(segments.map(({ start, end }) => text.slice(start, end))).toEqual(LINES);
    expect(threadsOf(segments).size).toBe(2);
    expect(sequences).toBe(LINES.length);
  });

  it('are judged once where the text repeats them, and keep their own places', async () => {
    const judged = new Int32Array(new SharedArrayBuffer(4));
    const classifier = await load(2, judged);
    const text = [...LINES, ...LINES].join('\n');
    const { predictions: segments } = await classifier.classify(text);
    expect(segments.map(({ start, end }) => text.slice(start, end))).toEqual([...LINES, ...LINES]);
    expect(judged[0]).toBe(LINES.length);
  });

  it('are ended before the workers are where one of them has failed, and the others are not begun', async () => {
    const judged = new Int32Array(new SharedArrayBuffer(4));
    const classifier = await load(2, judged);
    const text = ['fail at this line', ...LINES].join('\n');
    await expect(classifier.classify(text)).rejects.toMatchObject({ code: 'model_not_ready' });
    await classifier.close();
    expect(judged[0]).toBeLessThan(LINES.length);
  });
});
