/**
 * Judges a text: cache, views, model, verdict. The one entrance to the domain; knows nothing of HTTP, keys or the runtime behind
 * the classifier.
 */
import type { Classifier, ClassifyTimings, WindowProbabilities } from '../inference/classifier.js';
import type { Label, Sentiment } from '../labels.js';
import { deobfuscate, looksDifferent } from './normalise.js';
import { combineWindows, worstView, type TextProbabilities } from './probabilities.js';
import { passagesOf } from './sentences.js';
import { boundPassages, judgePassages, locate, type Span } from './spans.js';
import { detectedLabels, judge, type Verdict, type VerdictPolicy } from './verdict.js';
import { createVerdictCache } from './verdict-cache.js';

export interface Details {
  /** Model and version that judged. */
  readonly model: string;
  readonly labels: ReadonlyMap<Label, number>;
  readonly sentiments: ReadonlyMap<Sentiment, number>;
  readonly spans: readonly Span[];
  /** Windows that the text as sent was cut into. */
  readonly windows: number;
}

export interface Analysis {
  readonly verdict: Verdict;
  readonly cached: boolean;
  /** Absent when the verdict was cached. */
  readonly timings: ClassifyTimings | undefined;
}

export interface DetailedAnalysis extends Analysis {
  readonly details: Details;
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
  /** @throws ServiceError when the model cannot answer; a verdict is never invented */
  analyze(text: string): Promise<Analysis>;
  /** As `analyze`, with what the verdict rests on. Takes longer where something was detected: passages are judged alone. */
  analyzeInDetail(text: string): Promise<DetailedAnalysis>;
  stats(): AnalyzerStats;
}

interface Judgement {
  readonly verdict: Verdict;
  readonly probabilities: TextProbabilities;
  readonly windows: number;
  readonly timings: ClassifyTimings;
  /** Found when details are first asked for. */
  spans?: readonly Span[];
}

export interface AnalyzerOptions {
  readonly classifier: Classifier;
  readonly policy: VerdictPolicy;
  readonly cacheMaxEntries: number;
}

export function createAnalyzer({ classifier, policy, cacheMaxEntries }: AnalyzerOptions): Analyzer {
  const { manifest } = classifier;
  const model = `${manifest.id}@${manifest.version}`;
  const cache = createVerdictCache<Judgement>({ namespace: model, maxEntries: cacheMaxEntries });

  async function compute(text: string): Promise<Judgement> {
    const { texts, timings } = await classifier.classify(viewsOf(text));
    const [original, ...copies] = texts;
    if (original === undefined) throw new Error('the classifier answered fewer texts than it was given');
    const combined = (windows: readonly WindowProbabilities[]): TextProbabilities => combineWindows(windows, manifest);
    const probabilities = worstView([combined(original), ...copies.map(combined)]);
    return {
      verdict: judge(probabilities, manifest.calibration, policy),
      probabilities,
      windows: original.length,
      timings,
    };
  }

  async function spansOf(text: string, { probabilities }: Judgement): Promise<readonly Span[]> {
    const detected = detectedLabels(probabilities, manifest.calibration);
    if (detected.length === 0) return [];
    const passages = boundPassages(passagesOf(text), text);
    const views = passages.map((passage) => viewsOf(passage.text));
    const { texts } = await classifier.classify(views.flat());
    const counts = views.map((view) => view.length);
    return locate(detected, passages, judgePassages(texts, counts, manifest), manifest);
  }

  return {
    model,
    async analyze(text) {
      const { value, cached } = await cache.get(text, () => compute(text));
      return { verdict: value.verdict, cached, timings: cached ? undefined : value.timings };
    },
    async analyzeInDetail(text) {
      const { value, cached } = await cache.get(text, () => compute(text));
      value.spans ??= await spansOf(text, value);
      const { labels, sentiments } = value.probabilities;
      return {
        verdict: value.verdict,
        cached,
        timings: cached ? undefined : value.timings,
        details: { model, labels, sentiments, spans: value.spans, windows: value.windows },
      };
    },
    stats() {
      const { entries, hits, misses } = cache.stats();
      return { cacheEntries: entries, cacheHits: hits, cacheMisses: misses, ...classifier.stats() };
    },
  };
}

/** The text as it is and, where the model could tell the difference, a de-obfuscated copy. */
function viewsOf(text: string): string[] {
  const copy = deobfuscate(text);
  return looksDifferent(text, copy) ? [text, copy] : [text];
}
