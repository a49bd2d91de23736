/** The TensorFlow.js runtime behind the classifier interface: says what its workers are. Imports no TensorFlow. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { OperatorError } from '../../errors.js';
import type { Classifier } from '../classifier.js';
import { createPooledClassifier, type RuntimeOptions } from '../workers/pooled-classifier.js';
import type { ToxicitySettings } from './worker.js';
import { tokensOf, type TextSequence } from './text-sequences.js';

/** Optional dependencies of this project: whoever serves another model need not have them. */
const PACKAGES = [
  '@tensorflow-models/toxicity',
  '@tensorflow-models/universal-sentence-encoder',
  '@tensorflow/tfjs-backend-wasm',
  '@tensorflow/tfjs-converter',
  '@tensorflow/tfjs-core',
] as const;

/** @throws OperatorError when the packages of TensorFlow.js are not installed, no backend starts, or the model cannot be loaded */
export async function createToxicityClassifier(options: RuntimeOptions): Promise<Classifier> {
  const { id, version } = options.manifest;
  assertTensorflowInstalled(`${id}@${version}`);
  return createPooledClassifier<TextSequence, ToxicitySettings>(options, {
    url: new URL('./worker.js', import.meta.url),
    settings: { folder: resolve(options.folder) },
    tokensOf,
    inputOf: ({ text }) => text,
  });
}

/** @throws OperatorError that names the first package that is missing. Imports none of them. */
export function assertTensorflowInstalled(model: string): void {
  const { resolve: find } = createRequire(import.meta.url);
  for (const name of PACKAGES) {
    try {
      find(name);
    } catch (error) {
      throw new OperatorError(
        `The model ${model} runs on TensorFlow.js, and the optional package ${name} is not installed. Install with "npm ci" (without --omit=optional), or set MODEL_DIR to another model.`,
        { cause: error },
      );
    }
  }
}
