import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SMALL, writeStandInModel } from '../support/models/toxicity-model/stand-in-model.js';
import type { Classifier } from '../../src/inference/classifier.js';
import { loadClassifier } from '../support/built.js';
import { harmlessText, KIND } from '../support/texts.js';
import { standInModel, TENSORFLOW_INSTALLED } from '../support/models/toxicity-stand-in.js';
import { describeClassifier } from './classifier-contract.js';

describe.skipIf(!TENSORFLOW_INSTALLED)('on a stand-in for the model', () => {
  const folder = standInModel(afterAll);
  const load = async (threads = 1, maxQueue = 10): Promise<{ classifier: Classifier; problems: string[] }> => {
    const problems: string[] = [];
    const onWorkerProblem = (message: string): void => void problems.push(message);
    const classifier = await loadClassifier({ folder, threads, maxQueue, onWorkerProblem });
    onTestFinished(() => classifier.close());
    return { classifier, problems };
  };

  describeClassifier('the TensorFlow.js runtime', (size) => loadClassifier({ folder, ...size }), {
    // The model has no sentiment head: see docs/tensorflow.md.
    sentimentOfKind: 'neutral',
  });

  describe('the TensorFlow.js runtime', () => {
    it('says in its version which backend it runs on', async () => {
      const { classifier } = await load();
      expect(classifier.manifest.version).toMatch(/^0\.0\.0\+(wasm|tensorflow)$/);
    });
  });

  describe('the TensorFlow.js runtime whose worker dies', () => {
    it('during a run answers the call all the same, from a new worker', async () => {
      const workers: Worker[] = [];
      const note = (worker: Worker): void => void workers.push(worker);
      process.on('worker', note);
      onTestFinished(() => void process.off('worker', note));
      const { classifier, problems } = await load();
      const expected = await classifier.classify(harmlessText(3000));
      const call = classifier.classify(harmlessText(3000));
      // WebAssembly may be ended in the middle of its arithmetic.
      await Promise.all(workers.slice().map((worker) => worker.terminate()));
      expect((await call).segments).toEqual(expected.segments);
      expect(classifier.stats()).toEqual({ waiting: 0, workerRestarts: 1 });
      expect(problems).toHaveLength(1);
      expect(problems.join()).not.toContain('museum');
    });

    it('is not asked again after a run that failed: the call gets model_not_ready from two workers that then end', async () => {
      // A piece of the vocabulary of which the graph has no row.
      const failing = standInModel(onTestFinished);
      writeStandInModel(failing, SMALL, (json) => json.replace(/\]\]$/, '],["▁unheard",-1]]'));
      const problems: string[] = [];
      const classifier = await loadClassifier({
        folder: failing,
        threads: 1,
        maxQueue: 1,
        onWorkerProblem: (message) => problems.push(message),
      });
      onTestFinished(() => classifier.close());
      await expect(classifier.classify(`${KIND} unheard`)).rejects.toMatchObject({
        code: 'model_not_ready',
        status: 503,
      });
      expect(classifier.stats().workerRestarts).toBe(2);
      expect(problems.join()).not.toContain('lovely');
      expect((await classifier.classify(KIND)).segments).toHaveLength(1);
    });
  });
});

describe.skipIf(!TENSORFLOW_INSTALLED)('a model folder of the TensorFlow.js runtime', () => {
  const load = (folder: string): Promise<Classifier> => loadClassifier({ folder, threads: 1, maxQueue: 1 });
  const copy = (): string => standInModel(onTestFinished);
  const refused = (...words: string[]): unknown =>
    expect.objectContaining({
      name: 'OperatorError',
      message: expect.stringMatching(new RegExp(words.join('[^]*'))) as unknown,
    });

  it('without a shard of the weights is refused by name', async () => {
    const folder = copy();
    rmSync(join(folder, 'group1-shard2of2'));
    await expect(load(folder)).rejects.toEqual(refused('group1-shard2of2', 'ENOENT'));
  });

  it('whose manifest names no vocabulary is refused by name', async () => {
    const folder = copy();
    const path = join(folder, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('vocab.json', 'words.json'));
    await expect(load(folder)).rejects.toEqual(refused('manifest.json', 'vocab.json'));
  });

  it('with a graph that lacks a head is refused with the heads that it has', async () => {
    const folder = copy();
    writeStandInModel(folder, SMALL, (graph) => graph.replaceAll('"insult/', '"praise/'));
    await expect(load(folder)).rejects.toEqual(refused('cannot be served', 'praise'));
  });
});
