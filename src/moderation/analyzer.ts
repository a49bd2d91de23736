/**
 * Judges a text: cache, model, pooling, verdict. The one entrance to the domain; knows nothing of HTTP, keys or the runtime behind the
 * classifier.
 */
import type { Asker } from '../asker.js';
import type { Classifier, ClassifyTimings } from '../inference/classifier.js';
import type { Label } from '../labels.js';
import { poolSegments } from './pooling.js';
import type { TextProbabilities } from './probabilities.js';
import { inSegments, locate, type LabelledSegment, type SegmentProbability, type Span } from './spans.js';
import { detectedLabels, judge, type JudgedText, type Verdict, type VerdictPolicy } from './verdict.js';
import { createVerdictCache } from './verdict-cache.js';

export interface Analysis {
  readonly verdict: Verdict;
  /** What the verdict rests on. */
  readonly probabilities: TextProbabilities;
  /** Whether the text is in a language that the model is not good enough at to rely on. */
  readonly isExperimental: boolean;
  /** How often the network was run for it. */
  readonly runs: number;
  /** What the segments say of a label, in text order. */
  readonly inSegments: (label: Label) => readonly SegmentProbability[];
  /** Which segments carry what was detected. */
  readonly spans: () => readonly Span[];
  readonly cached: boolean;
  /** Absent when the verdict was cached. */
  readonly timings: ClassifyTimings | undefined;
}

export interface AnalyzerStats {
  readonly cacheEntries: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly waiting: number;
  readonly workerRestarts: number;
}

export interface Analyzer {
  /** Model and version, as in `id@version`. */
  readonly model: string;
  /** Those that the model knows, as tags of BCP 47: at least one. */
  readonly languages: readonly string[];
  /** The analysis of a text seen before, at once; undefined if it must be judged first. */
  recall(text: string): Analysis | undefined;
  /**
   * @param asker.project whose turn it takes: projects share the model evenly, so none has to wait for what another has sent
   * @param asker.signal the caller no longer waits: what nobody else waits for is given up
   * @throws ServiceError when the model cannot answer; a verdict is never invented. The signal's reason when it aborts
   */
  analyze(text: string, asker?: Asker): Promise<Analysis>;
  stats(): AnalyzerStats;
}

/** What is known of a text, whatever the policy. */
interface Judgement extends JudgedText {
  /** The latest, for whoever asks again: a fourteenth of a cached answer. */
  latest: { readonly policy: VerdictPolicy; readonly verdict: Verdict } | undefined;
  readonly segments: readonly LabelledSegment[];
  readonly runs: number;
  readonly timings: ClassifyTimings;
}

/** About what V8 takes for them. */
const BYTES_OF_JUDGEMENT = 1300;
const BYTES_OF_LANGUAGE = 50;
const BYTES_OF_SEGMENT = 300;

export interface AnalyzerOptions {
  readonly classifier: Classifier;
  readonly policy: VerdictPolicy;
  readonly cacheMaxEntries: number;
}

export function createAnalyzer({ classifier, policy, cacheMaxEntries }: AnalyzerOptions): Analyzer {
  const { manifest } = classifier;
  const model = `${manifest.id}@${manifest.version}`;
  const cache = createVerdictCache<Judgement>({
    namespace: model,
    maxEntries: cacheMaxEntries,
    bytesOf: ({ segments, probabilities: { language } }) =>
      BYTES_OF_JUDGEMENT + (language === undefined ? 0 : BYTES_OF_LANGUAGE) + BYTES_OF_SEGMENT * segments.length,
  });

  async function compute(text: string, asker: Asker): Promise<Judgement> {
    const { segments, whole, foreignLetters, runs, timings } = await classifier.classify(text, asker);
    return {
      latest: undefined,
      probabilities: poolSegments({ segments, whole }, manifest),
      foreignLetters,
      segments: segments.map(({ start, end, labels }) => ({ start, end, labels })),
      runs,
      timings,
    };
  }

  function verdictOf(judgement: Judgement): Verdict {
    if (judgement.latest?.policy !== policy) {
      judgement.latest = { policy, verdict: judge(judgement, manifest.calibration, policy) };
    }
    return judgement.latest.verdict;
  }

  function analysisOf(judgement: Judgement, cached: boolean): Analysis {
    const { probabilities, segments, runs, timings } = judgement;
    return {
      verdict: verdictOf(judgement),
      probabilities,
      isExperimental: manifest.experimentalLanguages.includes(probabilities.language?.tag ?? ''),
      runs,
      inSegments: (label) => inSegments(segments, label, manifest),
      spans: () => locate(detectedLabels(probabilities, manifest.calibration), segments, manifest),
      cached,
      timings: cached ? undefined : timings,
    };
  }

  return {
    model,
    languages: manifest.languages,
    recall(text) {
      const judgement = cache.recall(text);
      return judgement && analysisOf(judgement, true);
    },
    async analyze(text, asker = {}) {
      const { project } = asker;
      const { value, cached } = await cache.get(
        text,
        // Given up when the last of the project has gone, not the first.
        (signal) => compute(text, { project, signal }),
        asker,
      );
      return analysisOf(value, cached);
    },
    stats() {
      const { entries, hits, misses } = cache.stats();
      return { cacheEntries: entries, cacheHits: hits, cacheMisses: misses, ...classifier.stats() };
    },
  };
}
