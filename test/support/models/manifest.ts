/** A small valid manifest for tests that need no model files: round numbers, so that expectations can be worked out by hand. */
import type { Manifest, Pooling } from '../../../src/inference/manifest.js';
import { LABELS, SENTIMENTS } from '../../../src/labels.js';

export function testManifest(overrides: Partial<Manifest> = {}): Manifest {
  return {
    format: 1,
    id: 'test-model',
    version: '1.2.3',
    runtime: 'onnx',
    labels: [...LABELS],
    sentiments: [...SENTIMENTS],
    languages: ['en'],
    experimentalLanguages: [],
    scripts: ['Latin'],
    window: { maxTokens: 16, maxTexts: 1 },
    calibration: {
      thresholds: {
        toxicity: 0.4,
        severe_toxicity: 0.5,
        obscene: 0.5,
        threat: 0.5,
        insult: 0.5,
        identity_attack: 0.5,
        sexual_explicit: 0.5,
        self_harm: 0.5,
        spam: 0.5,
      },
      riskCurves: {
        threat: [
          [0, 0],
          [0.5, 0.4],
          [1, 1],
        ],
      },
      scoreKnots: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95],
    },
    files: {
      'model.onnx': { sha256: '0'.repeat(64), bytes: 1 },
      'tokenizer.json': { sha256: '0'.repeat(64), bytes: 1 },
    },
    measured: {},
    ...overrides,
  };
}

/** A manifest of format 2 of a model that knows several languages: a text has the probabilities of its highest segment. */
export function languagesManifest(overrides: Partial<Manifest> = {}): Manifest {
  const languages = ['en', 'ru', 'zh'];
  return { ...pooledManifest({ bias: Math.log(0.01 / 0.99), highest: 1 }), languages, ...overrides };
}

/** A manifest of format 2, whose labels are all pooled alike. A weight that is not given is 0. */
export function pooledManifest(weights: Partial<NonNullable<Pooling['labels']['toxicity']>>, epsilon = 0.01): Manifest {
  const ofLabel = { bias: 0, highest: 0, whole: 0, second: 0, rest: 0, count: 0, ...weights };
  const { calibration, ...manifest } = testManifest({ format: 2 });
  const pooling = { epsilon, labels: Object.fromEntries(LABELS.map((label) => [label, ofLabel])) };
  return { ...manifest, calibration: { ...calibration, pooling } };
}
