import type { Judge } from '../../../../benchmarks/accuracy/judges/judge.js';

/** @param isHarmful fails a text with this score; others pass with 0 */
export function wordJudge(isHarmful: (text: string) => boolean, score: number): Judge {
  return {
    description: 'by words',
    concurrency: 1,
    judge: (text) => {
      const found = isHarmful(text);
      const nothing = { sentiment: 'neutral', categories: [], labels: {}, sentiments: {}, model: 'words@1' } as const;
      return Promise.resolve({ score: found ? score : 0, passed: !found, ...nothing });
    },
    close: () => Promise.resolve(),
  };
}
