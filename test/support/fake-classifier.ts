/** A classifier without a model: tests say what each segment is to be judged as, and see what was asked. */
import type { Classification, Classifier, JudgedSegment } from '../../src/inference/classifier.js';
import type { Manifest } from '../../src/inference/manifest.js';
import type { Label, Sentiment } from '../../src/labels.js';
import { foreignLetterShare } from '../../src/text/foreign-letters.js';
import { readText } from '../../src/text/read-text.js';
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
  /** Every segment that was judged, as the network would read it, in order. */
  readonly read: readonly string[];
}

/** Reads texts as the workers do, and no text as a whole. */
export function createFakeClassifier(
  judge: (segment: string) => FakeJudgement | Promise<FakeJudgement>,
  manifest: Manifest = testManifest(),
): FakeClassifier {
  const calls: string[] = [];
  const read: string[] = [];
  return {
    manifest,
    calls,
    read,
    async classify(text): Promise<Classification> {
      calls.push(text);
      const { normalised, segments } = readText(text);
      read.push(...segments.map((segment) => segment.text));
      const judged = await Promise.all(segments.map(async (segment) => judge(segment.text)));
      return {
        segments: judged.map((judgement, index) => ({
          ...segmentOf(judgement, manifest, segments[index]?.text),
          start: segments[index]?.start ?? 0,
          end: segments[index]?.end ?? 0,
        })),
        foreignLetters: foreignLetterShare(manifest.scripts)(normalised),
        runs: segments.length,
        timings: { queueMs: 1, tokenizeMs: 2, inferMs: 3 },
      };
    },
    stats: () => ({ waiting: 0, workerRestarts: 0 }),
    isAnswering: () => true,
    close: () => Promise.resolve(),
  };
}

/** A segment that is all of its text. */
export function segmentOf(judgement: FakeJudgement, manifest: Manifest, text = ''): JudgedSegment {
  return {
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
