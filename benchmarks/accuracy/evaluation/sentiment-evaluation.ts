/** The evaluation of sentiment: a choice among three. */
import { type Sentiment, SENTIMENTS } from 'parapet/engine';
import type { Probabilities } from '../judges/judge.js';
import { choiceFigures, countChoices, type Choice } from '../metrics/classes.js';
import { estimate, resample } from '../metrics/resampling.js';
import type { SentimentFigures } from '../results.js';
import { MISTAKES_KEPT, mistakeOf, probabilityOf } from './evaluation.js';
import type { Evaluation, EvaluationOptions, Mistake } from './evaluation.js';
import { createWorstList } from './worst-list.js';

/** Judges the likeliest of the three sentiments: the verdict's own says "toxic" in the Toxic band, which no data set does. */
export function createSentimentEvaluation({
  resampling,
}: Pick<EvaluationOptions, 'resampling'>): Evaluation<Sentiment> {
  const choices: Choice[] = [];
  const wrong = createWorstList<Mistake>(MISTAKES_KEPT);
  return {
    add(row, truth, judgement) {
      const { sentiment, probability } = likeliest(judgement.sentiments);
      choices.push({ truth: SENTIMENTS.indexOf(truth), chosen: SENTIMENTS.indexOf(sentiment) });
      if (sentiment === truth) return;
      wrong.offer(mistakeOf(row, `${truth}, judged ${sentiment}`, probability, judgement), probability);
    },
    finish() {
      const resampled = resample(choices.length, resampling, (weights) => {
        const counts = countChoices(choices, weights, SENTIMENTS.length);
        return { counts, ...choiceFigures(counts) };
      });
      const figures: SentimentFigures = {
        kind: 'sentiment',
        macroRecall: estimate(resampled, (values) => values.macroRecall),
        accuracy: estimate(resampled, (values) => values.accuracy),
        classes: SENTIMENTS.map((name, index) => {
          const predicted = [...(resampled.actual.counts[index] ?? [])];
          return {
            name,
            examples: predicted.reduce((sum, count) => sum + count, 0),
            recall: estimate(resampled, (values) => values.recalls[index] ?? null),
            predicted,
          };
        }),
      };
      const mistakes = [{ title: 'Wrong sentiments with the highest probability', mistakes: wrong.items() }];
      return { figures, exhibits: { mistakes, curves: null } };
    },
  };
}

function likeliest(sentiments: Probabilities): { sentiment: Sentiment; probability: number } {
  return SENTIMENTS.map((sentiment) => ({ sentiment, probability: probabilityOf(sentiments, sentiment) })).reduce(
    (best, each) => (each.probability > best.probability ? each : best),
  );
}
