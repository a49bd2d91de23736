/** Judges with the product's own engine inside this process. The settings of the service apply. */
import { createEngine, optionsFromEnvironment, UNREADABLE } from 'parapet/engine';
import type { Judge, Probabilities } from './judge.js';

/** @throws OperatorError when the model is missing, incomplete or altered, or a setting is wrong */
export async function createInProcessJudge(): Promise<Judge> {
  const options = optionsFromEnvironment();
  const engine = await createEngine({ ...options, onWorkerProblem });
  const { passMaxScore, blockCategories, unreadable } = options.settings;
  const failing: readonly string[] = [...blockCategories, ...(unreadable === 'fail' ? [UNREADABLE] : [])];
  const blocking = blockCategories.length === 0 ? 'none' : blockCategories.join(', ');
  return {
    description: `in this process, INFERENCE_THREADS ${options.threads}, PASS_MAX_SCORE ${passMaxScore}, BLOCK_CATEGORIES ${blocking}, UNREADABLE ${unreadable}`,
    // Two for each worker: one that it judges and one that waits, so that no worker idles while results are written.
    concurrency: 2 * options.threads,
    async judge(text) {
      const { score, passed, sentiment, categories, labels, sentiments } = await engine.judge(text);
      return {
        score,
        passed,
        sentiment,
        categories,
        blocked: categories.some((category) => failing.includes(category)),
        labels: rounded(labels),
        sentiments: rounded(sentiments),
        model: engine.model,
      };
    },
    close: () => engine.close(),
  };
}

export function onWorkerProblem(problem: string): void {
  process.stderr.write(`${problem}\n`);
}

function rounded(probabilities: Probabilities): Probabilities {
  return Object.fromEntries(
    Object.entries(probabilities).map(([name, value]) => [name, Math.round(value * 1e6) / 1e6]),
  );
}
