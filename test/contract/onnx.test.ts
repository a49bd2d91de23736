import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Classifier } from '../../src/inference/classifier.js';
import { loadClassifier } from '../support/built.js';
import { alterOneByte, copyModel, MODEL_FOLDER } from '../support/model-copy.js';
import { harmlessText, KIND, TOXIC } from '../support/texts.js';
import { describeClassifier } from './classifier-contract.js';

describeClassifier('the ONNX runtime', (size) => loadClassifier({ folder: MODEL_FOLDER, ...size }));

describe('the ONNX runtime, of a text with several segments', () => {
  it('reads the whole as well where one run holds it, and not where none does', async () => {
    const { classifier } = await loadWatched(1);
    const short = `${KIND}.\n${TOXIC}.`;
    const read = await classifier.classify(short);
    expect(read.segments).toHaveLength(2);
    expect(read.whole).toMatchObject({ start: 0, end: short.length });
    expect(read.sequences).toBe(3);
    expect((await classifier.classify(KIND)).whole).toBeUndefined();
    expect((await classifier.classify(harmlessText(2000))).whole).toBeUndefined();
  });
});

/** The threads that are started from now until the test ends; Node tells of every new one. */
function watchWorkers(): Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => void workers.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return workers;
}

async function loadWatched(
  threads: number,
): Promise<{ classifier: Classifier; workers: Worker[]; problems: string[] }> {
  const workers = watchWorkers();
  const problems: string[] = [];
  const classifier = await loadClassifier({
    folder: MODEL_FOLDER,
    threads,
    maxQueue: 10,
    onWorkerProblem: (message) => problems.push(message),
  });
  onTestFinished(() => classifier.close());
  expect(workers).toHaveLength(threads);
  return { classifier, workers, problems };
}

/**
 * Makes the worker throw as soon as it handles messages, between two sequences: this is no portion. Ending a thread in the middle of ONNX
 * Runtime's arithmetic would end the process (Napi::Error, SIGABRT).
 */
async function crash(worker: Worker | undefined): Promise<void> {
  if (worker === undefined) throw new Error('there is no such worker');
  const death = once(worker, 'error');
  worker.postMessage(null);
  await death;
}

async function nextWorker(): Promise<Worker> {
  const [worker] = (await once(process, 'worker')) as [Worker];
  return worker;
}

describe('the ONNX runtime with long texts in its queue', () => {
  it('judges a short text before them', async () => {
    const { classifier } = await loadWatched(1);
    const answered: string[] = [];
    const classify = async (name: string, text: string): Promise<void> => {
      await classifier.classify(text);
      answered.push(name);
    };
    await Promise.all([
      ...[1, 2].map((number) => classify('long', harmlessText(10_000, `number ${number}`))),
      classify('short', KIND),
    ]);
    expect(answered).toEqual(['short', 'long', 'long']);
  });
});

describe('the ONNX runtime whose worker dies', () => {
  it('during a run answers the call all the same, from a new worker', async () => {
    const { classifier, workers, problems } = await loadWatched(1);
    const expected = await classifier.classify(harmlessText(5000));
    const call = classifier.classify(harmlessText(5000));
    const waiting = classifier.classify(KIND);
    await crash(workers[0]);
    expect((await call).segments).toEqual(expected.segments);
    await expect(waiting).resolves.toBeDefined();
    expect(workers).toHaveLength(2);
    expect(classifier.stats()).toEqual({ waiting: 0, workerRestarts: 1 });
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain('museum');
  });

  it('while idle is replaced without anybody noticing', async () => {
    const { classifier, workers } = await loadWatched(2);
    // Idle, so that nothing is under way in ONNX Runtime.
    await Promise.all(workers.slice().map((worker) => worker.terminate()));
    const answers = await Promise.all(Array.from({ length: 6 }, () => classifier.classify(KIND)));
    expect(answers).toHaveLength(6);
  });

  it('before it was ready does not leave the queue waiting for ever', async () => {
    const { classifier, workers } = await loadWatched(1);
    const calls = Promise.allSettled(Array.from({ length: 4 }, () => classifier.classify(harmlessText(5000))));
    const replacement = nextWorker();
    await crash(workers[0]);
    await crash(await replacement);
    for (const outcome of await calls) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'model_not_ready' });
    }
    await expect(classifier.classify(KIND)).resolves.toBeDefined();
  });
});

describe('a model folder', () => {
  const load = (folder: string): Promise<Classifier> => loadClassifier({ folder, threads: 1, maxQueue: 1 });
  const refused = (...words: string[]): unknown =>
    expect.objectContaining({
      name: 'OperatorError',
      message: expect.stringMatching(new RegExp(words.join('[^]*'))) as unknown,
    });

  it.each(['model.onnx', 'tokenizer.json'])('with one altered byte in %s is refused by name', async (file) => {
    const folder = copyModel();
    alterOneByte(join(folder, file));
    await expect(load(folder)).rejects.toEqual(refused(file, 'altered', 'Restore'));
  });

  it.each(['model.onnx', 'tokenizer.json'])('with a truncated %s is refused by name', async (file) => {
    const folder = copyModel();
    truncateSync(join(folder, file), 1000);
    await expect(load(folder)).rejects.toEqual(refused(file, 'cut', 'Restore'));
  });

  it.each(['model.onnx', 'tokenizer.json', 'manifest.json'])('without %s is refused by name', async (file) => {
    const folder = copyModel();
    rmSync(join(folder, file));
    await expect(load(folder)).rejects.toEqual(refused(file, 'ENOENT', 'Restore'));
  });

  it('with a manifest that is cut is refused by name', async () => {
    const folder = copyModel();
    const path = join(folder, 'manifest.json');
    writeFileSync(path, readFileSync(path).subarray(0, 100));
    await expect(load(folder)).rejects.toEqual(refused('manifest.json', 'not valid JSON', 'Restore'));
  });

  it('with a file that is no model is refused with what ONNX Runtime says of it', async () => {
    const folder = copyModel();
    const content = 'not a model';
    writeFileSync(join(folder, 'model.onnx'), content);
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: Record<string, object> };
    manifest.files['model.onnx'] = {
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: content.length,
    };
    writeFileSync(path, JSON.stringify(manifest));
    await expect(load(folder)).rejects.toEqual(refused('cannot be served', 'model.onnx', '[Pp]rotobuf'));
  });
});
