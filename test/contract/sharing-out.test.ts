/** How the windows of a text are shared out over the workers, with a runtime that tells which thread judged what. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Classifier, Reading } from '../../src/inference/classifier.js';
import { createPooledClassifier } from '../../src/inference/workers/pooled-classifier.js';
import { builtUrl } from '../support/built.js';
import { testManifest } from '../support/manifest.js';
import { harmlessText } from '../support/texts.js';

interface SentenceRun {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Each window fills a piece of work, and holds as many lines as the settings say: what begins with "fine" is certainly harmless. A judgement's
 * sentiments are the thread, how many it has judged, and nothing; its labels are its length.
 */
const TELLING_WORKER = `
  import { threadId, workerData } from 'node:worker_threads';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { answerPortions } from ${JSON.stringify(builtUrl('inference/workers/portion-port.js').href)};
  import { createWorkerLoop } from ${JSON.stringify(builtUrl('inference/workers/worker-loop.js').href)};

  let judged = 0;
  async function judge(window) {
    const text = window.map((run) => run.text).join(' ');
    if (text.startsWith('fail')) throw new Error('of the test');
    await sleep(20);
    judged += 1;
    Atomics.add(workerData.judged, 0, 1);
    const labels = Array(9).fill(text.length);
    return {
      start: window[0].start,
      end: window.at(-1).end,
      tokens: 1,
      unreadTokens: 0,
      labels,
      ...(workerData.linesPerWindow > 1 && { highest: labels }),
      sentiments: [threadId, judged, 0],
      exited: text.startsWith('fine'),
    };
  }
  function windowsOf(segments) {
    const windows = [];
    for (const [index, runs] of segments.entries()) {
      if (index % workerData.linesPerWindow === 0) windows.push(runs);
      else windows.push([...windows.pop(), ...runs]);
    }
    return windows;
  }
  const load = () => Promise.resolve({ runsOf: (segment) => [segment], windowsOf, judge });
  answerPortions(createWorkerLoop({ settings: workerData, load, tokensOf: () => 16 }));
`;

/** @param judged counts the runs that were judged, by all workers */
async function load(
  threads: number,
  judged = new Int32Array(new SharedArrayBuffer(4)),
  linesPerWindow = 1,
): Promise<Classifier> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-worker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'telling-worker.mjs');
  writeFileSync(file, TELLING_WORKER);
  const classifier = await createPooledClassifier<SentenceRun, object>(
    { folder: 'models/telling', manifest: testManifest({ files: {} }), threads, maxQueue: 10 },
    {
      url: pathToFileURL(file),
      settings: { judged, linesPerWindow },
      tokensOf: () => 16,
      contentOf: ({ text }) => text,
    },
  );
  // What warms the workers up is not of the test.
  Atomics.store(judged, 0, 0);
  onTestFinished(() => classifier.close());
  return classifier;
}

const threadsOf = (segments: readonly Reading[]): Set<number | undefined> =>
  new Set(segments.map(({ sentiments }) => sentiments[0]));

const LINES = Array.from({ length: 9 }, (_, index) => `this is line number ${'x'.repeat(index + 1)}`);

describe('the segments of a text', () => {
  it('go to different workers from the first one on', async () => {
    const classifier = await load(2);
    const { readings: segments } = await classifier.classify(LINES.slice(0, 2).join('\n'));
    expect(segments).toHaveLength(2);
    expect(threadsOf(segments).size).toBe(2);
  });

  it('go to all workers where the text has 10,000 characters', async () => {
    const classifier = await load(4);
    const { readings: segments } = await classifier.classify(harmlessText(10_000));
    expect(segments.length).toBeGreaterThan(100);
    expect(threadsOf(segments).size).toBe(4);
  });

  it('come back in their order and at their places, whoever judged them', async () => {
    const classifier = await load(2);
    const text = LINES.join('\n');
    const { readings: segments, runs } = await classifier.classify(text);
    expect(segments.map(({ start, end }) => text.slice(start, end))).toEqual(LINES);
    expect(threadsOf(segments).size).toBe(2);
    expect(runs).toBe(LINES.length);
  });

  it('are judged once where the text repeats them, and keep their own places', async () => {
    const judged = new Int32Array(new SharedArrayBuffer(4));
    const classifier = await load(2, judged);
    const text = [...LINES, ...LINES].join('\n');
    const { readings: segments } = await classifier.classify(text);
    expect(segments.map(({ start, end }) => text.slice(start, end))).toEqual([...LINES, ...LINES]);
    expect(judged[0]).toBe(LINES.length);
  });

  it('are ended before the workers are, though one of them has failed', async () => {
    const judged = new Int32Array(new SharedArrayBuffer(4));
    const classifier = await load(2, judged);
    const text = ['fail at this line', ...LINES.slice(0, 3)].join('\n');
    await expect(classifier.classify(text)).rejects.toMatchObject({ code: 'model_not_ready' });
    await classifier.close();
    expect(judged[0]).toBe(3);
  });
});

describe('the windows of a text', () => {
  const judged = new Int32Array(new SharedArrayBuffer(4));
  const lengths = (readings: readonly Reading[] = []): (number | undefined)[] =>
    readings.map(({ labels }) => labels[0]);
  const placesOf = (text: string, readings: readonly Reading[] = []): string[] =>
    readings.map(({ start, end }) => text.slice(start, end));
  const pairs = (lines: readonly string[]): string[] =>
    lines.flatMap((line, index) => (index % 2 === 0 ? [[line, ...lines.slice(index + 1, index + 2)].join('\n')] : []));

  it('are judged alone where nobody wants spans, and keep their order and places', async () => {
    const classifier = await load(2, judged, 2);
    const text = LINES.join('\n');
    const { readings, segments, whole, runs } = await classifier.classify(text);
    expect(placesOf(text, readings)).toEqual(pairs(LINES));
    expect(lengths(readings)).toEqual(pairs(LINES).map(({ length }) => length));
    expect(readings.slice(0, -1).every(({ highest }) => highest !== undefined)).toBe(true);
    expect(threadsOf(readings).size).toBe(2);
    expect({ segments, whole, runs, judged: judged[0] }).toEqual({
      segments: undefined,
      whole: undefined,
      runs: 5,
      judged: 5,
    });
  });

  it('are judged by line as well where spans are wanted, but for those of one line or certainly harmless', async () => {
    const classifier = await load(2, judged, 2);
    const lines = [...LINES.slice(0, 4), 'fine is this one', 'and that one', LINES[4] ?? ''];
    const text = lines.join('\n');
    const { readings, segments, runs } = await classifier.classify(text, { spans: true });
    expect(placesOf(text, readings)).toEqual(pairs(lines));
    const expected = [...lines.slice(0, 4), lines.slice(4, 6).join('\n'), ...lines.slice(6)];
    expect(placesOf(text, segments)).toEqual(expected);
    expect(lengths(segments)).toEqual(expected.map(({ length }) => length));
    expect({ runs, judged: judged[0] }).toEqual({ runs: 8, judged: 8 });
    expect(lengths((await classifier.classify(text)).readings)).toEqual(lengths(readings));
  });

  it('are judged once where the text repeats them, lines too, and keep their own places', async () => {
    const classifier = await load(2, judged, 2);
    const [one = '', two = '', three = ''] = LINES;
    const lines = [one, two, one, two, three, one];
    const text = lines.join('\n');
    const { readings, segments } = await classifier.classify(text, { spans: true });
    expect(placesOf(text, readings)).toEqual(pairs(lines));
    expect(placesOf(text, segments)).toEqual(lines);
    expect(judged[0]).toBe(2 + 3);
  });
});
