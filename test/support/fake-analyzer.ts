/** An analyzer without a model: tests say what it answers, and see which texts reached it. */
import { ServiceError } from '../../src/errors.js';
import type { Analysis, Analyzer, AnalyzeOptions } from '../../src/moderation/analyzer.js';
import type { TextProbabilities } from '../../src/moderation/pooling.js';
import type { Span } from '../../src/moderation/spans.js';
import type { Verdict } from '../../src/moderation/verdict.js';
import { policyOfSettings, type VerdictPolicy } from '../../src/moderation/verdict-policy.js';
import { segmentsOf } from '../../src/text/segments.js';
import { SETTINGS } from './settings.js';

export const HARMLESS: Verdict = {
  passed: true,
  score: 0,
  band: 'Safe',
  sentiment: 'neutral',
  description: 'Passed: a score of 0 of 10 (Safe). Nothing was detected.',
  categories: [],
};

export const INSULT: Verdict = {
  passed: false,
  score: 8,
  band: 'Toxic',
  sentiment: 'toxic',
  description: 'Failed: a score of 8 of 10 (Toxic, at most 3 passes). Detected: toxicity and insult.',
  categories: ['toxic', 'insult'],
};

export const RUSSIAN = 'Ты тупая мразь, сдохни';

/** A verdict on a text of which most could not be read. */
export const UNREAD: Verdict = {
  ...HARMLESS,
  passed: false,
  description:
    'Failed: unreadable text. Most of the text is in a script that the model does not know; nothing was detected in what was read.',
  categories: ['unreadable'],
};

export const INSULT_SPAN: Span = { start: 0, end: 5, label: 'insult', probability: 0.876_543_21 };

/** That of the settings of the service. */
export const FAKE_POLICY: VerdictPolicy = policyOfSettings(SETTINGS);

export interface FakeAnalyzer extends Analyzer {
  /** Every text, in order. */
  readonly texts: readonly string[];
}

const PROBABILITIES: TextProbabilities = {
  labels: new Map([
    ['toxicity', 0.123_456_789],
    ['insult', 0.9],
  ]),
  sentiments: new Map([
    ['positive', 0.25],
    ['neutral', 0.75],
  ]),
  unread: 0,
};

/**
 * @param judge the verdict for a text; what it throws or rejects with, the analyzer rejects with
 * @param probabilities what the verdict on a text rests on, and what is said of a segment
 */
export function createFakeAnalyzer(
  judge: (text: string) => Verdict | Promise<Verdict> = () => HARMLESS,
  probabilities: (text: string) => TextProbabilities = () => PROBABILITIES,
  options: { languages?: readonly string[]; experimentalLanguages?: readonly string[] } = {},
): FakeAnalyzer {
  const texts: string[] = [];
  const model = 'fake-model@1.0.0';
  async function analyze(
    text: string,
    { signal, policy = FAKE_POLICY, spans = false }: AnalyzeOptions = {},
  ): Promise<Analysis> {
    texts.push(text);
    const verdict = await Promise.race([judge(text), ...(signal === undefined ? [] : [abortOf(signal)])]);
    const assertWanted = (): void => {
      if (!spans) throw new Error('the analyzer was asked without spans');
    };
    const analysis: Analysis = {
      verdict,
      policy,
      probabilities: probabilities(text),
      isExperimental: options.experimentalLanguages?.includes(probabilities(text).language?.tag ?? '') ?? false,
      sequences: 1,
      inSegments(label) {
        assertWanted();
        return segmentsOf(text).map(({ start, end }) => ({
          start,
          end,
          probability: probabilities(text.slice(start, end)).labels.get(label) ?? 0,
        }));
      },
      spans() {
        assertWanted();
        return verdict.categories.length > 0 ? [INSULT_SPAN] : [];
      },
      doubt: () => 0.1,
      cached: false,
      timings: { queueMs: 1, tokenizeMs: 2, inferMs: 3 },
      under: (other) => ({ ...analysis, policy: other }),
    };
    return analysis;
  }
  return {
    model,
    languages: options.languages ?? ['en'],
    figuresOf: () => ({ texts: 171, found: 0.79, passed: 0.878 }),
    texts,
    policy: FAKE_POLICY,
    thresholdsUnder: () => ({ toxicity: 0.4, insult: 0.5 }),
    analyze,
    stats: () => ({
      cacheEntries: 0,
      cacheHits: 0,
      sharedCacheHits: 0,
      cacheMisses: texts.length,
      waiting: 0,
      workerRestarts: 0,
    }),
  };
}

/** Rejects with the signal's reason, as what is given up does. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** An analyzer on which every text fails in the same way. */
export function createFailingAnalyzer(error: unknown): FakeAnalyzer {
  return createFakeAnalyzer(() => {
    throw error;
  });
}

/** As the classifier reports that too many texts are waiting. */
export const queueFull = (): ServiceError =>
  new ServiceError('queue_full', 'Too many texts are waiting to be judged.', { retryAfterSeconds: 2 });
