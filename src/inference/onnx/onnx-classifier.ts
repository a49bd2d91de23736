/** The ONNX runtime behind the classifier interface: says what its workers are. Does no arithmetic itself. */
import { resolve } from 'node:path';
import type { Classifier } from '../classifier.js';
import { MODEL_FILE, TOKENIZER_FILE } from '../manifest.js';
import { framedTokens, type Sequence } from '../sequences.js';
import { createPooledClassifier, type RuntimeOptions } from '../workers/pooled-classifier.js';
import { turnOffTelemetry } from './no-telemetry.js';
import type { OnnxSettings } from './worker.js';

/** @throws OperatorError when the model cannot be loaded or does not answer */
export function createOnnxClassifier(options: RuntimeOptions): Promise<Classifier> {
  const { folder, manifest } = options;
  turnOffTelemetry();
  return createPooledClassifier<Sequence, OnnxSettings>(options, {
    url: new URL('./worker.js', import.meta.url),
    settings: {
      modelPath: resolve(folder, MODEL_FILE),
      tokenizerPath: resolve(folder, TOKENIZER_FILE),
      labelCount: manifest.labels.length,
      sentimentCount: manifest.sentiments.length,
      languageCount: manifest.languages.length > 1 ? manifest.languages.length + 1 : 0,
    },
    tokensOf: framedTokens,
    inputOf: ({ ids }) => ids.join(' '),
  });
}
