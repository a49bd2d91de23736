import { describe, expect, it } from 'vitest';
import type { Judge } from '../../../../benchmarks/accuracy/judges/judge.js';
import { measureDisguises } from '../../../../benchmarks/robustness/disguised-texts.js';

const TEXTS = {
  toxic: ['Nobody wants a clown like you around here.'],
  harmless: ['Has anybody seen my green umbrella?'],
};

async function judgedWith(seed: number): Promise<string[]> {
  const judged: string[] = [];
  const judge: Judge = {
    description: 'lets everything pass',
    concurrency: 1,
    judge: (text) => {
      judged.push(text);
      const nothing = { sentiment: 'neutral', categories: [], labels: {}, sentiments: {} } as const;
      return Promise.resolve({ score: 0, passed: true, model: 'none@1', ...nothing });
    },
    close: () => Promise.resolve(),
  };
  await measureDisguises(judge, TEXTS, seed);
  return judged;
}

describe('the seed', () => {
  it('decides how texts are disguised', async () => {
    const first = await judgedWith(1);
    expect(first).toHaveLength(18);
    expect(await judgedWith(1)).toEqual(first);
    expect(await judgedWith(2)).not.toEqual(first);
  });
});
