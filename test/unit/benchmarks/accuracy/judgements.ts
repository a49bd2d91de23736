/** Judgements and judges made up for tests. */
import type { Judge, Judgement, Refusal } from '../../../../benchmarks/accuracy/judges/judge.js';

/** Toxicity decides everything, as a model without other labels would. */
export function judgementOf(toxicity: number, more: Partial<Judgement> = {}): Judgement {
  const score = Math.round(toxicity * 10);
  return {
    score,
    passed: score <= 3,
    sentiment: 'neutral',
    categories: score >= 4 ? ['toxic'] : [],
    labels: { toxicity },
    sentiments: { positive: 0.2, negative: 0.3, neutral: 0.5 },
    model: 'fake@1',
    ...more,
  };
}

/** Takes the text for the toxicity: "0.7" gets 0.7. */
export function createFakeJudge(judge: Partial<Judge> = {}): Judge {
  return {
    description: 'by a fake',
    concurrency: 4,
    judge: (text: string): Promise<Judgement | Refusal> => Promise.resolve(judgementOf(Number(text))),
    close: () => Promise.resolve(),
    ...judge,
  };
}
