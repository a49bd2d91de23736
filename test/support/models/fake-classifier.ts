/** A classifier without a model: tests say what each segment is to be judged as, and see what was asked. */
import type { Classification, Classifier, Prediction } from '../../../src/inference/classifier.js';
import type { Manifest } from '../../../src/inference/manifest.js';
import type { Label, Sentiment } from '../../../src/labels.js';
import { foreignLetterShare } from '../../../src/text/scripts.js';
import { readText } from '../../../src/text/read-text.js';
import { testManifest } from './manifest.js';

export interface FakeJudgement {
  labels?: Partial<Record<Label, number>>;
  sentiments?: Partial<Record<Sentiment, number>>;
  /** Of a model with several: what is left is of none of them. */
  languages?: Readonly<Record<string, number>>;
}

export interface FakeClassifier extends Classifier {
  /** The text of every call, in order. */
  readonly calls: readonly string[];
  /** What was judged, as the network would read it, in order. */
  readonly read: readonly string[];
}

/**
 * Reads texts segment by segment, and none as a whole; or, with `windows`, each text in one window, as a network that says what the worst of
 * several segments is.
 */
export function createFakeClassifier(
  judge: (segment: string) => FakeJudgement | Promise<FakeJudgement>,
  manifest: Manifest = testManifest(),
  { windows = false } = {},
): FakeClassifier {
  const calls: string[] = [];
  const read: string[] = [];
  return {
    manifest,
    calls,
    read,
    async classify(text, { spans = false } = {}): Promise<Classification> {
      calls.push(text);
      const { normalised, segments } = readText(text);
      if (windows) read.push(normalised);
      if (!windows || spans) read.push(...segments.map((segment) => segment.text));
      const judged = await Promise.all(
        segments.map(async (segment) => ({
          ...segmentOf(await judge(segment.text), manifest, segment.text),
          start: segment.start,
          end: segment.end,
        })),
      );
      const highest = manifest.labels.map((_, index) => Math.max(...judged.map(({ labels }) => labels[index] ?? 0)));
      return {
        ...(windows
          ? {
              predictions: [{ ...segmentOf(await judge(normalised), manifest, text), highest }],
              ...(spans && { segments: judged }),
            }
          : { predictions: judged, segments: judged }),
        foreignLetters: foreignLetterShare(manifest.scripts)(normalised),
        sequences: segments.length,
        timings: { queueMs: 1, tokenizeMs: 2, inferMs: 3 },
      };
    },
    stats: () => ({ waiting: 0, workerRestarts: 0 }),
    isAnswering: () => true,
    close: () => Promise.resolve(),
  };
}

/** A segment that is all of its text. */
export function segmentOf(judgement: FakeJudgement, manifest: Manifest, text = ''): Prediction {
  return {
    segment: 0,
    start: 0,
    end: text.length,
    tokens: Math.ceil(text.length / 4),
    unreadTokens: 0,
    labels: manifest.labels.map((label) => judgement.labels?.[label] ?? 0.01),
    sentiments: manifest.sentiments.map(
      (sentiment) => judgement.sentiments?.[sentiment] ?? (sentiment === 'neutral' ? 1 : 0),
    ),
    ...(manifest.languages.length > 1 && { languages: languagesOf(judgement, manifest) }),
  };
}

function languagesOf({ languages = {} }: FakeJudgement, manifest: Manifest): number[] {
  const known = manifest.languages.map((language) => languages[language] ?? 0);
  return [...known, known.reduce((left, probability) => left - probability, 1)];
}
