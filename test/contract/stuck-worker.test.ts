import { describe, it, type TestContext } from 'vitest';
import type { Classifier } from '../../src/inference/classifier.js';
import { createOnnxClassifier } from '../../src/inference/onnx/onnx-classifier.js';
import { createToxicityClassifier } from '../../src/inference/tfjs-toxicity/toxicity-classifier.js';
import { testManifest } from '../support/models/manifest.js';
import { workerFile } from '../support/models/worker-file.js';
import { TENSORFLOW_INSTALLED } from '../support/models/toxicity-stand-in.js';

/** Long enough for a worker to start on a busy machine: that counts as well. */
const STUCK_AFTER_MS = 2000;

/** A worker without a model: hangs on texts that say so, for ever, and judges all others harmless. */
const HANGING_WORKER = `
  import { parentPort } from 'node:worker_threads';
  function answer({ text = '' }) {
    if (text.includes('hang')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    const segment = { segment: 0, start: 0, end: 0, tokens: 0, unreadTokens: 0, labels: Array(9).fill(0), sentiments: [0, 0, 1] };
    return { judged: [segment], unjudged: [], whole: undefined, foreignLetters: 0, tokenizeMs: 0, inferMs: 0 };
  }
  parentPort.on('message', (portion) => parentPort.postMessage(portion.map(answer)));`;

const RUNTIMES = [
  { name: 'ONNX', runtime: 'onnx', create: createOnnxClassifier, isInstalled: true },
  {
    name: 'TensorFlow.js',
    runtime: 'tfjs-toxicity',
    create: createToxicityClassifier,
    isInstalled: TENSORFLOW_INSTALLED,
  },
] as const;

for (const { name, runtime, create, isInstalled } of RUNTIMES) {
  const loadHanging = async (
    threads: number,
    onTestFinished: TestContext['onTestFinished'],
  ): Promise<{ classifier: Classifier; problems: string[] }> => {
    const problems: string[] = [];
    const classifier = await create({
      folder: '.',
      manifest: testManifest({ runtime }),
      threads,
      maxQueue: 10,
      onWorkerProblem: (message) => problems.push(message),
      workerUrl: workerFile(HANGING_WORKER, onTestFinished),
      stuckAfterMs: STUCK_AFTER_MS,
    });
    onTestFinished(() => classifier.close());
    return { classifier, problems };
  };

  // Side by side: what they wait for is the time after which a worker counts as stuck.
  describe.skipIf(!isInstalled)(
    `a worker of the ${name} runtime that is stuck`,
    { timeout: 60_000, concurrent: true },
    () => {
      it('is replaced, its text refused after a second try, and the next one answered', async ({
        expect,
        onTestFinished,
      }) => {
        const { classifier, problems } = await loadHanging(1, onTestFinished);
        const stuck = expect(classifier.classify('hang')).rejects.toMatchObject({
          code: 'model_not_ready',
          status: 503,
        });
        const next = classifier.classify('hello');
        await stuck;
        await expect(next).resolves.toMatchObject({ segments: [{ tokens: 0 }] });
        expect(classifier.stats().workerRestarts).toBe(2);
        expect(problems).toEqual([
          'a worker thread was stuck: it gave no answer for 2 s',
          'a worker thread was stuck: it gave no answer for 2 s',
          'a run was given up: its worker was lost twice',
        ]);
      });

      it('does not keep the texts of others from their answers', async ({ expect, onTestFinished }) => {
        const { classifier } = await loadHanging(2, onTestFinished);
        const stuck = classifier.classify('hang').catch(() => 'refused');
        await Promise.all(Array.from({ length: 8 }, (_, index) => classifier.classify(`text ${index}`)));
        expect(classifier.stats().workerRestarts).toBe(0);
        expect(await stuck).toBe('refused');
      });

      it('makes the classifier say that it does not answer, until it does, which it finds out by itself', async ({
        expect,
        onTestFinished,
      }) => {
        const { classifier } = await loadHanging(1, onTestFinished);
        expect(classifier.isAnswering()).toBe(true);
        await expect(classifier.classify('hang')).rejects.toMatchObject({ code: 'model_not_ready' });
        expect(classifier.isAnswering()).toBe(false);
        await expect.poll(() => classifier.isAnswering(), { timeout: 30_000 }).toBe(true);
      });
    },
  );
}
