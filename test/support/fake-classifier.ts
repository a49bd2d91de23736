/** A classifier without a model: tests say what each text is to be judged as, and see what was asked. */
import type { Classification, Classifier, WindowProbabilities } from '../../src/inference/classifier.js';
import type { Manifest } from '../../src/inference/manifest.js';
import type { Label, Sentiment } from '../../src/labels.js';
import { testManifest } from './manifest.js';

export interface FakeJudgement {
  labels?: Partial<Record<Label, number>>;
  sentiments?: Partial<Record<Sentiment, number>>;
}

export interface FakeClassifier extends Classifier {
  /** Every call, in order. */
  readonly calls: (readonly string[])[];
}

export function createFakeClassifier(
  judge: (text: string) => FakeJudgement | Promise<FakeJudgement>,
  manifest: Manifest = testManifest(),
): FakeClassifier {
  const calls: (readonly string[])[] = [];
  return {
    manifest,
    calls,
    async classify(given, { versionsOf } = {}): Promise<Classification> {
      const texts = versionsOf === undefined ? given : given.flatMap(versionsOf);
      calls.push(texts);
      const judged = await Promise.all(texts.map(async (text) => judge(text)));
      return {
        texts: judged.map((judgement, index) => [windowOf(judgement, manifest, texts[index] ?? '')]),
        timings: { queueMs: 1, tokenizeMs: 2, inferMs: 3 },
      };
    },
    stats: () => ({ waiting: 0, workerRestarts: 0 }),
    isAnswering: () => true,
    close: () => Promise.resolve(),
  };
}

export function windowOf(judgement: FakeJudgement, manifest: Manifest, text = ''): WindowProbabilities {
  return {
    start: 0,
    end: text.length,
    tokens: Math.ceil(text.length / 4),
    unreadTokens: 0,
    labels: manifest.labels.map((label) => judgement.labels?.[label] ?? 0.01),
    sentiments: manifest.sentiments.map(
      (sentiment) => judgement.sentiments?.[sentiment] ?? (sentiment === 'neutral' ? 1 : 0),
    ),
  };
}
