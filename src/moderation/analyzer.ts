/**
 * Judges a text: cache, model, pooling, verdict. The one entrance to the domain; knows nothing of HTTP, keys or the runtime behind the
 * classifier.
 */
import type { Caller } from '../caller.js';
import type { Classifier, ClassifyTimings } from '../inference/classifier.js';
import { figuresOf, type LanguageFigures } from '../inference/manifest.js';
import type { Label } from '../labels.js';
import { createPooling, type TextProbabilities } from './pooling.js';
import { inSegments, locate, type LabelledSegment, type SegmentProbability, type Span } from './spans.js';
import { CATEGORY_OF_LABEL } from './categories.js';
import { detectedLabels, judge, thresholdOf, type JudgedText, type Verdict } from './verdict.js';
import { createProbabilityCache, keyOf, type CacheQuery } from './probability-cache.js';
import { createNumbersOfText, type SharedProbabilities } from './shared-probabilities.js';
import type { VerdictPolicy } from './verdict-policy.js';

export interface Analysis {
  readonly verdict: Verdict;
  /** What turned the probabilities into the verdict. */
  readonly policy: VerdictPolicy;
  /** What the verdict rests on. */
  readonly probabilities: TextProbabilities;
  /** Whether the text is in a language that the model is not good enough at to rely on. */
  readonly isExperimental: boolean;
  /** How many sequences the network read of it. */
  readonly sequences: number;
  /** What the segments say of a label, in text order. @throws Error where the caller wanted no spans and they are not known */
  readonly inSegments: (label: Label) => readonly SegmentProbability[];
  /** Which segments carry what was detected. @throws Error as `inSegments` does */
  readonly spans: () => readonly Span[];
  /** The least distance of a label's probability from its threshold, among those that the policy does not ignore: 0 where nothing is more doubtful. */
  readonly doubt: () => number;
  readonly cached: boolean;
  /** Absent when the verdict was cached. */
  readonly timings: ClassifyTimings | undefined;
  /** The same probabilities under a policy of the same terms, without asking the network again. */
  readonly under: (policy: VerdictPolicy) => Analysis;
}

/** Who asks, and under which policy; without one, that of the settings. */
export interface AnalyzeOptions extends Caller {
  readonly policy?: VerdictPolicy | undefined;
}

export interface AnalyzerStats {
  readonly cacheEntries: number;
  readonly cacheHits: number;
  /** Of these, what another server had found out. */
  readonly sharedCacheHits: number;
  readonly cacheMisses: number;
  readonly waiting: number;
  readonly workerRestarts: number;
}

export interface Analyzer {
  /** Model and version, as in `id@version`. */
  readonly model: string;
  /** Those that the model knows, as tags of BCP 47: at least one. */
  readonly languages: readonly string[];
  /** What was measured of a language. */
  figuresOf(language: string): LanguageFigures | undefined;
  /** That of the settings, for those who bring none. */
  readonly policy: VerdictPolicy;
  /** Least probability at which each label that the model knows counts as detected. */
  thresholdsUnder(policy: VerdictPolicy): Partial<Record<Label, number>>;
  /**
   * @param caller.project whose turn it takes: projects share the model evenly, so none has to wait for what another has sent
   * @param caller.spans whether `spans` or `inSegments` of the analysis will be asked
   * @param caller.signal the caller no longer waits: what nobody else waits for is given up. Not asked for where the text was seen before
   * @throws ServiceError when the model cannot answer; a verdict is never invented. The signal's reason when it aborts
   */
  analyze(text: string, caller?: AnalyzeOptions): Promise<Analysis>;
  stats(): AnalyzerStats;
}

/** What is known of a text, whatever the policy. */
interface CacheEntry extends JudgedText {
  /** The latest, for whoever asks again: a fourteenth of a cached answer. A policy with its lists of terms does not live on for it. */
  latest: { readonly policy: WeakRef<VerdictPolicy>; readonly verdict: Verdict } | undefined;
  readonly segments: readonly LabelledSegment[] | undefined;
  readonly sequences: number;
  /** Undefined where another server has judged it. */
  readonly timings: ClassifyTimings | undefined;
}

/** About what V8 takes for them. */
const BYTES_OF_ENTRY = 1300;
const BYTES_OF_LANGUAGE = 50;
const BYTES_OF_SEGMENT = 300;
const BYTES_OF_TERM = 50;

export interface AnalyzerOptions {
  readonly classifier: Classifier;
  readonly policy: VerdictPolicy;
  readonly cacheMaxEntries: number;
  /** What other servers know; of texts without terms and spans alone. */
  readonly shared?: SharedProbabilities | undefined;
}

export function createAnalyzer({ classifier, policy: ownPolicy, cacheMaxEntries, shared }: AnalyzerOptions): Analyzer {
  const { manifest } = classifier;
  const { calibration } = manifest;
  const model = `${manifest.id}@${manifest.version}`;
  const pool = createPooling(manifest);
  const numbersOf = createNumbersOfText(manifest);
  let sharedHits = 0;
  const cache = createProbabilityCache<CacheEntry>({
    namespace: model,
    maxEntries: cacheMaxEntries,
    bytesOf: ({ segments = [], blockedTerms = [], probabilities: { language } }) =>
      BYTES_OF_ENTRY +
      (language === undefined ? 0 : BYTES_OF_LANGUAGE) +
      BYTES_OF_SEGMENT * segments.length +
      BYTES_OF_TERM * blockedTerms.length,
  });

  async function compute(text: string, caller: Caller): Promise<CacheEntry> {
    const { predictions, whole, segments, foreignLetters, blockedTerms, sequences, timings } =
      await classifier.classify(text, caller);
    return {
      latest: undefined,
      probabilities: pool({ predictions, whole }),
      foreignLetters,
      ...(blockedTerms && { blockedTerms }),
      segments: segments?.map(({ start, end, labels }) => ({ start, end, labels })),
      sequences,
      timings,
    };
  }

  async function askOrCompute(text: string, caller: Caller): Promise<CacheEntry> {
    if (shared === undefined || caller.spans === true || caller.terms !== undefined) return compute(text, caller);
    const key = keyOf(model, text);
    const known = numbersOf.read((await shared.get(key)) ?? []);
    if (known !== undefined) return { ...known, latest: undefined, segments: undefined, timings: undefined };
    const entry = await compute(text, caller);
    shared.set(key, numbersOf.write(entry));
    return entry;
  }

  function verdictOf(entry: CacheEntry, policy: VerdictPolicy): Verdict {
    const { latest } = entry;
    if (latest?.policy.deref() === policy) return latest.verdict;
    const verdict = judge(entry, calibration, policy);
    entry.latest = { policy: new WeakRef(policy), verdict };
    return verdict;
  }

  function analysisOf(entry: CacheEntry, policy: VerdictPolicy, cached: boolean): Analysis {
    const { probabilities, blockedTerms, sequences, timings } = entry;
    const segments = (): readonly LabelledSegment[] => {
      if (entry.segments === undefined) throw new Error('the text was judged for a caller who wanted no spans');
      return entry.segments;
    };
    return {
      verdict: verdictOf(entry, policy),
      policy,
      probabilities,
      isExperimental: manifest.experimentalLanguages.includes(probabilities.language?.tag ?? ''),
      sequences,
      inSegments: (label) => inSegments(segments(), label, manifest),
      spans: () =>
        locate(
          {
            labels: detectedLabels(probabilities, calibration, policy).filter(
              (label) => policy.categories[CATEGORY_OF_LABEL[label]].action !== 'ignore',
            ),
            thresholdOf: (label) => thresholdOf(label, policy, calibration),
            blockedTerms,
          },
          segments(),
          manifest,
        ),
      doubt: () =>
        Math.min(
          1,
          ...Array.from(probabilities.labels)
            .filter(([label]) => policy.categories[CATEGORY_OF_LABEL[label]].action !== 'ignore')
            .map(([label, probability]) => Math.abs(probability - thresholdOf(label, policy, calibration))),
        ),
      cached,
      timings: cached ? undefined : timings,
      under: (other) => analysisOf(entry, other, cached),
    };
  }

  return {
    model,
    languages: manifest.languages,
    figuresOf: (language) => figuresOf(manifest, language),
    policy: ownPolicy,
    thresholdsUnder: (policy) =>
      Object.fromEntries(manifest.labels.map((label) => [label, thresholdOf(label, policy, calibration)])),
    async analyze(text, caller = {}) {
      const { project, policy = ownPolicy, spans } = caller;
      const { value, cached } = await cache.get(
        text,
        // Given up when the last of the project has gone, not the first.
        (signal) => askOrCompute(text, { project, signal, terms: policy.terms, spans }),
        caller,
        queryUnder(policy, spans),
      );
      const isOfOthers = !cached && value.timings === undefined;
      if (isOfOthers) sharedHits += 1;
      return analysisOf(value, policy, cached || isOfOthers);
    },
    stats() {
      const { entries, hits, misses } = cache.stats();
      return {
        cacheEntries: entries,
        cacheHits: hits + sharedHits,
        sharedCacheHits: sharedHits,
        cacheMisses: misses - sharedHits,
        ...classifier.stats(),
      };
    },
  };
}

function queryUnder({ terms }: VerdictPolicy, spans = false): CacheQuery<CacheEntry> {
  return { variant: terms?.digest, suffices: spans ? hasSegments : undefined };
}

function hasSegments({ segments }: CacheEntry): boolean {
  return segments !== undefined;
}
