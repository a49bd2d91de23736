/** The product's own analyzer inside this process, as a benchmark asks it. The settings of the service apply. */
import type { Config } from '../../../src/config.js';
import { loadClassifier } from '../../../src/inference/load-classifier.js';
import { createAnalyzer, type Analyzer } from '../../../src/moderation/analyzer.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';

export interface InProcessAnalyzer {
  readonly analyzer: Analyzer;
  /** Most texts that may be in flight at a time. */
  readonly concurrency: number;
  readonly close: () => Promise<void>;
}

/** @throws OperatorError when the model is missing, incomplete or altered */
export async function openAnalyzer(
  config: Config,
  onWorkerProblem: (problem: string) => void,
): Promise<InProcessAnalyzer> {
  // Two for each worker: one that it judges and one that waits, so that no worker idles while results are written.
  const concurrency = 2 * config.inferenceThreads;
  const classifier = await loadClassifier({
    folder: config.modelDir,
    threads: config.inferenceThreads,
    // Not MAX_QUEUE: a benchmark waits for its turn, it is never turned away.
    maxQueue: concurrency,
    onWorkerProblem,
  });
  const analyzer = createAnalyzer({
    classifier,
    policy: policyOfSettings(config.verdictPolicy),
    cacheMaxEntries: config.cacheMaxEntries,
  });
  return { analyzer, concurrency, close: () => classifier.close() };
}
