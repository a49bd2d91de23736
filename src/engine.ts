/**
 * The public entry of Parapet as a library, `parapet/engine`: the verdicts of the service without HTTP, keys or projects.
 *
 *     const engine = await createEngine();
 *     const { passed, score } = await engine.judge('You are an idiot.');
 *     await engine.close();
 *
 * Whatever is not exported here may change without notice.
 */
import { loadConfig, type Environment } from './config/config.js';
import { ServiceError } from './errors.js';
import { MAX_CONTENT_CHARACTERS } from './http/routes/schemas.js';
import { loadClassifier } from './inference/load-classifier.js';
import type { Label, Sentiment } from './labels.js';
import { createAnalyzer } from './moderation/analyzer.js';
import type { TextLanguage } from './moderation/pooling.js';
import type { Span } from './moderation/spans.js';
import type { Verdict } from './moderation/verdict.js';
import { policyOfSettings, type PolicySettings, type VerdictPolicy } from './moderation/verdict-policy.js';

export { OperatorError, ServiceError } from './errors.js';
export { LABELS, SENTIMENTS, type Label, type Sentiment } from './labels.js';
export { CATEGORIES, CATEGORY_OF_LABEL, LABEL_CATEGORIES, UNREADABLE } from './moderation/categories.js';
export type { PolicySettings, VerdictPolicy } from './moderation/verdict-policy.js';
export { PRESET_NAMES, type PresetName } from './policies/policy-schema.js';
export { resolvePolicy } from './policies/resolve-policy.js';
export { MAX_CONTENT_CHARACTERS } from './http/routes/schemas.js';
export { readManifest, type Manifest } from './inference/manifest.js';
export { createEncoder, openNetwork, type Network, type EncodedText } from './inference/onnx/bare-network.js';
export { LEFT_OUT, normalise, STEPS } from './text/normalise.js';
export { formatOf, readRows, type DatasetSource, type Row } from './dataset/dataset.js';
export { isPlainLabel, isPositive } from './dataset/flag-cell.js';

export interface EngineOptions {
  /** Folder of the model: `manifest.json` and the files that it names. */
  readonly modelDir: string;
  /** Worker threads, each with a model of its own. */
  readonly threads: number;
  /** What passes, where `judge` is given no policy. */
  readonly settings: PolicySettings;
  /** Texts whose probabilities are remembered, about 2 kB each; 0 for none. */
  readonly cacheMaxEntries: number;
  /** Told in one line of a worker thread that died or hung and was replaced; no text is in it. */
  readonly onWorkerProblem: (problem: string) => void;
}

export interface JudgeOptions {
  /** As `resolvePolicy` gives it; its lists of terms hold as well. */
  readonly policy?: VerdictPolicy;
  /** Whether the judgement has spans, for which the network reads some texts twice. */
  readonly spans?: boolean;
}

export interface Judgement extends Verdict {
  /** Probability of each label that the model knows, from 0 to 1. */
  readonly labels: Readonly<Partial<Record<Label, number>>>;
  /** Probabilities that sum to 1. */
  readonly sentiments: Readonly<Partial<Record<Sentiment, number>>>;
  /** The likeliest; absent where the model has one language. */
  readonly language?: TextLanguage;
  /** Which passages carry what was detected, in text order, as UTF-16 offsets; only where they were asked for. */
  readonly spans?: readonly Span[];
}

export interface Engine {
  /** Model and version, as in `id@version`. */
  readonly model: string;
  /**
   * Any number of texts may be under way at a time; they are judged in the order of the calls, side by side on all threads.
   *
   * @throws ServiceError `invalid_body` for an empty text, `content_too_long` beyond MAX_CONTENT_CHARACTERS code points, `model_not_ready` when the
   * model cannot answer; a verdict is never invented
   */
  judge(text: string, options?: JudgeOptions): Promise<Judgement>;
  /** In the order of the texts. @throws as `judge` does, for the first that fails */
  judgeAll(texts: readonly string[], options?: JudgeOptions): Promise<Judgement[]>;
  /** Answers what was accepted, then ends the threads. */
  close(): Promise<void>;
}

/**
 * What the service would be started with: the same variables and defaults (README, Settings).
 *
 * @param environment `process.env` unless given
 * @throws OperatorError that lists every variable that is wrong
 */
export function optionsFromEnvironment(
  environment?: Environment,
): Pick<EngineOptions, 'modelDir' | 'threads' | 'settings' | 'cacheMaxEntries'> {
  const { modelDir, inferenceThreads: threads, verdictPolicy: settings, cacheMaxEntries } = loadConfig(environment);
  return { modelDir, threads, settings, cacheMaxEntries };
}

/**
 * @param options what is left out is as the service has it without any variable: the default model, a thread for each core
 * @throws OperatorError where the model folder is missing, incomplete or altered, or its runtime is not installed
 */
export async function createEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const { onWorkerProblem } = options;
  const { modelDir, threads, settings, cacheMaxEntries } = { ...optionsFromEnvironment({}), ...options };
  const classifier = await loadClassifier({
    folder: modelDir,
    threads,
    // A library's caller waits; nobody is turned away.
    maxQueue: Infinity,
    ...(onWorkerProblem && { onWorkerProblem }),
  });
  const analyzer = createAnalyzer({ classifier, policy: policyOfSettings(settings), cacheMaxEntries });

  async function judge(text: string, { policy, spans = false }: JudgeOptions = {}): Promise<Judgement> {
    assertLength(text);
    const analysis = await analyzer.analyze(text, { policy, spans });
    const { labels, sentiments, language } = analysis.probabilities;
    return {
      ...analysis.verdict,
      labels: Object.fromEntries(labels),
      sentiments: Object.fromEntries(sentiments),
      ...(language && { language }),
      ...(spans && { spans: analysis.spans() }),
    };
  }

  return {
    model: analyzer.model,
    judge,
    judgeAll: (texts, how) => Promise.all(texts.map((text) => judge(text, how))),
    close: () => classifier.close(),
  };
}

function assertLength(text: string): void {
  if (text === '') throw new ServiceError('invalid_body', 'The text must not be empty.');
  if (text.length > MAX_CONTENT_CHARACTERS && Array.from(text).length > MAX_CONTENT_CHARACTERS) {
    throw new ServiceError('content_too_long', `The text must be at most ${MAX_CONTENT_CHARACTERS} characters.`);
  }
}
