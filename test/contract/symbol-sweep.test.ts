/** A sample of `bench:symbols`, with the real model: no character of the categories of symbols hides severe sentences, or makes harmless ones fail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judge } from '../../benchmarks/accuracy/judges/judge.js';
import { createRandom } from '../../benchmarks/robustness/random.js';
import { SYMBOL_CATEGORIES } from '../../benchmarks/symbols/code-points.js';
import { judgedRight, sweep, type SweepFigures, type SweptSentences } from '../../benchmarks/symbols/sweep.js';
import { loadConfig } from '../../src/config/config.js';
import { createAnalyzer } from '../../src/moderation/analyzer.js';
import { policyOfSettings } from '../../src/moderation/verdict-policy.js';
import { loadClassifier } from '../support/built.js';
import { MODEL_FOLDER } from '../support/models/model-copy.js';

const SENTENCES: SweptSentences = {
  severe: ['You are a worthless idiot and I hope you die.', 'Shut your mouth you stupid ugly whore.'],
  harmless: ['My sister bakes bread on Sundays.', 'The train to the coast was late again.'],
};
const SHARE = 0.006;
const SEED = 4;
const LEAST_FOUND = 0.9;
const MOST_FLAGGED = 0.05;
const TIME_LIMIT_MS = 120_000;

describe('a sample of the symbols of Unicode', () => {
  let judge: Judge;
  let figures: SweepFigures[] = [];

  beforeAll(async () => {
    judge = await createJudge();
    const sentences = await judgedRight(judge, SENTENCES);
    expect(sentences).toEqual(SENTENCES);
    const random = createRandom(SEED);
    for (const category of SYMBOL_CATEGORIES) {
      figures = [...figures, ...(await sweep(judge, sentences, category, SHARE, random))];
    }
  }, TIME_LIMIT_MS);

  afterAll(() => judge.close());

  it.each(['before every word', 'after every word', 'between letters', 'in place of spaces'])(
    'hides hardly any severe sentence, and makes hardly any harmless one fail, %s',
    (placement) => {
      const placed = figures.filter((figure) => figure.placement === placement);
      expect(shareOf(placed, 'found')).toBeGreaterThanOrEqual(LEAST_FOUND);
      expect(shareOf(placed, 'flagged')).toBeLessThanOrEqual(MOST_FLAGGED);
    },
  );
});

async function createJudge(): Promise<Judge> {
  const concurrency = 4;
  const { verdictPolicy } = loadConfig();
  const classifier = await loadClassifier({
    folder: MODEL_FOLDER,
    threads: 2,
    maxQueue: concurrency,
    onWorkerProblem: () => undefined,
  });
  const analyzer = createAnalyzer({ classifier, policy: policyOfSettings(verdictPolicy), cacheMaxEntries: 100 });
  return {
    description: 'the built classifier',
    concurrency,
    async judge(text) {
      const { verdict } = await analyzer.analyze(text);
      return { ...verdict, labels: {}, sentiments: {}, model: analyzer.model };
    },
    close: () => classifier.close(),
  };
}

function shareOf(figures: readonly SweepFigures[], what: 'found' | 'flagged'): number {
  const characters = figures.reduce((sum, figure) => sum + figure.characters, 0);
  return figures.reduce((sum, figure) => sum + figure[what] * figure.characters, 0) / characters;
}
