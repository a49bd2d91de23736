/** Judges with the product's own analyzer inside this process. The settings of the service apply. */
import type { Config } from '../../../src/config.js';
import { UNREADABLE } from '../../../src/moderation/categories.js';
import { openAnalyzer } from './in-process-analyzer.js';
import type { Judge, Probabilities } from './judge.js';

/** @throws OperatorError when the model is missing, incomplete or altered */
export async function createInProcessJudge(config: Config, onWorkerProblem: (problem: string) => void): Promise<Judge> {
  const { analyzer, concurrency, close } = await openAnalyzer(config, onWorkerProblem);
  const policy = config.verdictPolicy;
  const failing: readonly string[] = [...policy.blockCategories, ...(policy.unreadable === 'fail' ? [UNREADABLE] : [])];
  const blocking = policy.blockCategories.length === 0 ? 'none' : policy.blockCategories.join(', ');
  return {
    description: `in this process, INFERENCE_THREADS ${config.inferenceThreads}, PASS_MAX_SCORE ${policy.passMaxScore}, BLOCK_CATEGORIES ${blocking}, UNREADABLE ${policy.unreadable}`,
    concurrency,
    async judge(text) {
      const { verdict, probabilities } = await analyzer.analyze(text);
      return {
        score: verdict.score,
        passed: verdict.passed,
        sentiment: verdict.sentiment,
        categories: verdict.categories,
        blocked: verdict.categories.some((category) => failing.includes(category)),
        labels: rounded(probabilities.labels),
        sentiments: rounded(probabilities.sentiments),
        model: analyzer.model,
      };
    },
    close,
  };
}

function rounded(probabilities: ReadonlyMap<string, number>): Probabilities {
  return Object.fromEntries([...probabilities].map(([name, value]) => [name, Math.round(value * 1e6) / 1e6]));
}
