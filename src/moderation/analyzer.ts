/**
 * Judges a text: cache, views, model, verdict. The one entrance to the domain; knows nothing of HTTP, keys or the runtime behind
 * the classifier.
 */
import type { Asker } from '../asker.js';
import type { Classifier, ClassifyTimings } from '../inference/classifier.js';
import { foreignLetterShare } from './foreign-letters.js';
import { deobfuscate, looksDifferent } from './normalise.js';
import { combineViews, combineWindows, type TextProbabilities } from './probabilities.js';
import { planCloserLook, type JudgedWindow } from './closer-look.js';
import { boundPassages, passagesOf } from './sentences.js';
import { judgePassages, locate, type Span } from './spans.js';
import { detectedLabels, judge, type JudgedText, type Verdict, type VerdictPolicy } from './verdict.js';
import { createVerdictCache } from './verdict-cache.js';

export interface Analysis {
  readonly verdict: Verdict;
  /** What the verdict rests on. */
  readonly probabilities: TextProbabilities;
  /** Windows that the text as sent was cut into. */
  readonly windows: number;
  readonly cached: boolean;
  /** Absent when the verdict was cached. */
  readonly timings: ClassifyTimings | undefined;
}

export interface LocatedAnalysis extends Analysis {
  readonly spans: readonly Span[];
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
  /** The analysis of a text seen before, at once; undefined if it must be judged first. */
  recall(text: string): Analysis | undefined;
  /**
   * @param asker.project whose turn it takes: projects share the model evenly, so none has to wait for what another has sent
   * @param asker.signal the caller no longer waits: what nobody else waits for is given up
   * @throws ServiceError when the model cannot answer; a verdict is never invented. The signal's reason when it aborts
   */
  analyze(text: string, asker?: Asker): Promise<Analysis>;
  /** As `analyze`, and says where in the text. Takes longer where something was detected: passages are judged alone. */
  analyzeAndLocate(text: string, asker?: Asker): Promise<LocatedAnalysis>;
  stats(): AnalyzerStats;
}

interface CloseClassification {
  readonly undisguised: string;
  /** Per text, its windows. */
  readonly texts: readonly (readonly JudgedWindow[])[];
  readonly timings: ClassifyTimings;
}

/** What is known of a text, whatever the policy. */
interface Judgement extends JudgedText {
  readonly windows: number;
  readonly timings: ClassifyTimings;
  /** Found when somebody first asks where, and remembered if they are few. */
  spans?: readonly Span[];
}

/** The cache counts judgements, not what they hold: a text of nothing but short insults can have a thousand spans. */
const MOST_REMEMBERED_SPANS = 32;

export interface AnalyzerOptions {
  readonly classifier: Classifier;
  readonly policy: VerdictPolicy;
  readonly cacheMaxEntries: number;
}

export function createAnalyzer({ classifier, policy, cacheMaxEntries }: AnalyzerOptions): Analyzer {
  const { manifest } = classifier;
  const model = `${manifest.id}@${manifest.version}`;
  const foreignLettersOf = foreignLetterShare(manifest.scripts);
  const cache = createVerdictCache<Judgement>({ namespace: model, maxEntries: cacheMaxEntries });

  /** Judges a text's views, and then the pieces of those of their windows that need a closer look. */
  async function judgeClosely(text: string, asker: Asker): Promise<CloseClassification> {
    let undisguised = text;
    let views: readonly string[] = [];
    const versionsOf = (): readonly string[] => {
      undisguised = deobfuscate(text);
      views = viewsOf(text, undisguised);
      return views;
    };
    const first = await classifier.classify([text], { ...asker, versionsOf });
    const looks = first.texts.map((windows, index) => planCloserLook(views[index] ?? '', windows, manifest));
    // Views have most of their pieces in common.
    const pieces = [...new Set(looks.flatMap((look) => look?.pieces ?? []))];
    if (pieces.length === 0) return { ...first, undisguised };
    const second = await classifier.classify(pieces, { ...asker, followsUp: true });
    const seen = new Map(pieces.map((piece, index) => [piece, second.texts[index] ?? []]));
    return {
      undisguised,
      texts: first.texts.map((windows, index) => looks[index]?.seen((piece) => seen.get(piece) ?? []) ?? windows),
      timings: {
        queueMs: first.timings.queueMs + second.timings.queueMs,
        tokenizeMs: first.timings.tokenizeMs + second.timings.tokenizeMs,
        inferMs: first.timings.inferMs + second.timings.inferMs,
      },
    };
  }

  async function compute(text: string, asker: Asker): Promise<Judgement> {
    const { texts, timings, undisguised } = await judgeClosely(text, asker);
    const [original] = texts;
    const [asSent, copy] = texts.map((windows) => combineWindows(windows, manifest));
    if (original === undefined || asSent === undefined) {
      throw new Error('the classifier answered fewer texts than it was given');
    }
    return {
      probabilities: combineViews(asSent, copy),
      foreignLetters: foreignLettersOf(undisguised),
      windows: original.length,
      timings,
    };
  }

  async function spansOf(text: string, { probabilities }: Judgement, asker: Asker): Promise<readonly Span[]> {
    const detected = detectedLabels(probabilities, manifest.calibration);
    if (detected.length === 0) return [];
    asker.signal?.throwIfAborted();
    const passages = boundPassages(passagesOf(text), text);
    const views = passages.map((passage) => viewsOf(passage.text, deobfuscate(passage.text)));
    const { texts } = await classifier.classify(views.flat(), { ...asker, followsUp: true });
    const counts = views.map((view) => view.length);
    return locate(detected, passages, judgePassages(texts, counts, manifest), manifest);
  }

  async function lookUp(text: string, asker: Asker): Promise<{ analysis: Analysis; judgement: Judgement }> {
    const { project } = asker;
    const { value: judgement, cached } = await cache.get(
      text,
      // Given up when the last of the project has gone, not the first.
      (signal) => compute(text, { project, signal }),
      asker,
    );
    return { analysis: analysisOf(judgement, cached), judgement };
  }

  function analysisOf(judgement: Judgement, cached: boolean): Analysis {
    const { probabilities, windows, timings } = judgement;
    const verdict = judge(judgement, manifest.calibration, policy);
    return { verdict, probabilities, windows, cached, timings: cached ? undefined : timings };
  }

  return {
    model,
    recall(text) {
      const judgement = cache.recall(text);
      return judgement && analysisOf(judgement, true);
    },
    async analyze(text, asker = {}) {
      return (await lookUp(text, asker)).analysis;
    },
    async analyzeAndLocate(text, asker = {}) {
      const { analysis, judgement } = await lookUp(text, asker);
      const spans = judgement.spans ?? (await spansOf(text, judgement, asker));
      if (spans.length <= MOST_REMEMBERED_SPANS) judgement.spans = spans;
      return { ...analysis, spans };
    },
    stats() {
      const { entries, hits, misses } = cache.stats();
      return { cacheEntries: entries, cacheHits: hits, cacheMisses: misses, ...classifier.stats() };
    },
  };
}

/** The text as it is and, where the model could tell the difference, its de-obfuscated copy. */
function viewsOf(text: string, copy: string): string[] {
  return looksDifferent(text, copy) ? [text, copy] : [text];
}
