/** Promises of ONNX Runtime in WebAssembly: the same contract and nearly the same probabilities, where the binary of the native library does not load. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Classifier } from '../../src/inference/classifier.js';
import { createPooling } from '../../src/moderation/pooling.js';
import { ROOT } from '../support/client-package.js';
import { loadClassifier } from '../support/built.js';
import { buildWithoutBinary } from '../support/models/hidden-binary.js';
import { MODEL_FOLDER } from '../support/models/model-copy.js';
import { temporaryFolder } from '../support/service.js';
import { describeClassifier, type ClassifierSize } from './classifier-contract.js';

// It takes several times as long as the native library, and the suite opens it many times.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const gate = z.object({ text: z.string() });
const workerUrl = pathToFileURL(join(buildWithoutBinary(temporaryFolder(afterAll)), 'inference/onnx/worker.js'));
const problems: string[] = [];

const load = (size: ClassifierSize): Promise<Classifier> =>
  loadClassifier({
    folder: MODEL_FOLDER,
    ...size,
    workerUrl,
    onWorkerProblem: (problem) => void problems.push(problem),
  });

describeClassifier('ONNX Runtime in WebAssembly', load);

describe('ONNX Runtime in WebAssembly', () => {
  it('judges nearly as the native library does, and says at its start that it runs, and why', async () => {
    const [wasm, native] = [
      await load({ threads: 1, maxQueue: 1000 }),
      await loadClassifier({ folder: MODEL_FOLDER, threads: 1, maxQueue: 1000 }),
    ];
    try {
      expect(wasm.manifest.version).toBe(`${native.manifest.version}+wasm`);
      expect(problems.at(-1)).toMatch(
        /^the slower backend wasm is used: onnxruntime-node does not load here \(.+\)\. A text/,
      );
      const toxicityIn = async (classifier: Classifier, text: string): Promise<number> =>
        createPooling(classifier.manifest)(await classifier.classify(text)).labels.get('toxicity') ?? NaN;
      const lines = readFileSync(join(ROOT, 'models/training/gates/de.jsonl'), 'utf8').trim().split('\n').slice(0, 40);
      const texts = lines.map((line) => gate.parse(JSON.parse(line)).text);
      const differences = await Promise.all(
        texts.map(async (text) => Math.abs((await toxicityIn(wasm, text)) - (await toxicityIn(native, text)))),
      );
      expect(texts).toHaveLength(40);
      expect(Math.max(...differences)).toBeLessThan(0.1);
      expect(differences.reduce((sum, each) => sum + each, 0) / texts.length).toBeLessThan(0.01);
    } finally {
      await Promise.all([wasm.close(), native.close()]);
    }
  });
});
