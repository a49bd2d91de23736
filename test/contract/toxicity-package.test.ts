import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prediction } from '@tensorflow-models/toxicity';
import { builtUrl } from '../support/built.js';
import { harmlessText, KIND, TOXIC } from '../support/texts.js';
import { require, standInModel, tensorflow, TENSORFLOW_INSTALLED } from '../support/models/toxicity-stand-in.js';

/** In this thread, so that TensorFlow.js can be asked what it holds in memory. */
describe.skipIf(!TENSORFLOW_INSTALLED)('ToxicityClassifier of the package on local files', () => {
  const folder = standInModel(afterAll);
  const tf = TENSORFLOW_INSTALLED ? tensorflow() : undefined;

  async function load(backend: string) {
    require('@tensorflow/tfjs-backend-wasm');
    if (!(await tf?.setBackend(backend))) throw new Error(`no backend ${backend}`);
    const { LocalToxicityClassifier } = (await import(
      builtUrl('inference/tfjs-toxicity/local-classifier.js').href
    )) as typeof import('../../src/inference/tfjs-toxicity/local-classifier.js');
    const classifier = new LocalToxicityClassifier(folder);
    await classifier.load();
    return classifier;
  }

  const TEXTS = [KIND, TOXIC, 'ok', '', 'two\nlines\tand  blanks ', '汉字 😀', 'I will kill you', harmlessText(600)];
  const probabilities = (predictions: readonly Prediction[]): number[][] =>
    predictions.map(({ results }) => results.flatMap((result) => Array.from(result.probabilities)));
  const difference = (a: readonly number[], b: readonly number[]): number =>
    Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? NaN))));

  let classifier: Awaited<ReturnType<typeof load>>;
  beforeAll(async () => {
    classifier = await load('wasm');
  });

  it('holds not one tensor more after 10,000 texts', async () => {
    await classifier.classify(TEXTS);
    const before = tf?.memory();
    let texts = 0;
    while (texts < 9_600) {
      const batch = Array.from({ length: 160 }, (_, index) => `${TOXIC} ${texts + index}`);
      texts += (await classifier.classify(batch))[0]?.results.length ?? 0;
    }
    for (; texts < 10_000; texts += 1) await classifier.classify(`${KIND} ${texts}`);
    const after = tf?.memory();
    expect(after).toMatchObject({ numTensors: before?.numTensors, numBytes: before?.numBytes });
  });

  it.each(['cpu', 'tensorflow'])('answers the same on the backend %s', async (backend) => {
    // Plain JavaScript comes with the WASM backend; TensorFlow itself is there only where somebody has built it.
    require('@tensorflow/tfjs-backend-cpu');
    if (tf?.findBackend(backend) === null) return;
    const expected = probabilities(await classifier.classify(TEXTS));
    const other = await load(backend);
    try {
      const found = probabilities(await other.classify(TEXTS));
      expected.forEach((values, head) => {
        expect(difference(values, found[head] ?? [])).toBeLessThan(1e-4);
      });
    } finally {
      other.dispose();
      await tf?.setBackend('wasm');
    }
  });

  it('frees its weights when it is disposed of, also twice', async () => {
    const before = tf?.memory().numTensors ?? NaN;
    const other = await load('wasm');
    expect(tf?.memory().numTensors).toBeGreaterThan(before);
    other.dispose();
    other.dispose();
    expect(tf?.memory().numTensors).toBe(before);
  });
});
