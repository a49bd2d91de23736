/** Compares judgements with the truth, row by row, and sums them up into figures. Knows nothing of files or formats. */
import { OperatorError } from '../../src/errors.js';
import { SENTIMENTS, type Label, type Sentiment } from '../../src/labels.js';
import { CATEGORY_OF_LABEL } from '../../src/moderation/categories.js';
import type { Judgement, Probabilities } from './judges/judge.js';
import { brierScore, expectedCalibrationError } from './metrics/calibration.js';
import { createChoiceCounter, type ChoiceFigures } from './metrics/classes.js';
import { decisionFigures, EMPTY_CONFUSION, withDecision, type DecisionFigures } from './metrics/decision.js';
import { averagePrecision, bestF1, rocAuc, type BestF1, type Example } from './metrics/ranking.js';
import { createWorstList } from './worst-list.js';

export interface Mistake {
  readonly row: number;
  readonly truth: string;
  /** The probability that the truth is judged by. */
  readonly probability: number;
  readonly score: number;
  readonly passed: boolean;
  readonly categories: readonly string[];
  readonly text: string;
}

export interface MistakeList {
  readonly title: string;
  readonly mistakes: readonly Mistake[];
}

export interface Decision extends DecisionFigures {
  readonly name: string;
}

export interface BinaryFigures {
  readonly kind: 'binary';
  readonly positives: number;
  readonly negatives: number;
  readonly rocAuc: number | null;
  readonly averagePrecision: number | null;
  readonly bestF1: BestF1 | null;
  readonly brierScore: number | null;
  readonly expectedCalibrationError: number | null;
  readonly decisions: readonly Decision[];
}

export interface SentimentFigures extends ChoiceFigures<Sentiment> {
  readonly kind: 'sentiment';
}

export interface Evaluation<Truth> {
  add(row: { readonly row: number; readonly text: string }, truth: Truth, judgement: Judgement): void;
  figures(): BinaryFigures | SentimentFigures;
  mistakes(): readonly MistakeList[];
}

const MISTAKES_KEPT = 20;

export function createBinaryEvaluation(label: Label): Evaluation<boolean> {
  const category = CATEGORY_OF_LABEL[label];
  const decisions = [
    { name: 'not passed', flags: ({ passed }: Judgement) => !passed, confusion: EMPTY_CONFUSION },
    { name: 'score ≥ 4', flags: ({ score }: Judgement) => score >= 4, confusion: EMPTY_CONFUSION },
  ];
  // For toxicity the category says little more than the score does; for any other label it is the decision that is meant.
  if (label !== 'toxicity') {
    const flags = ({ categories }: Judgement): boolean => categories.includes(category);
    decisions.push({ name: `category ${category}`, flags, confusion: EMPTY_CONFUSION });
  }
  const examples: Example[] = [];
  const highNegatives = createWorstList<Mistake>(MISTAKES_KEPT);
  const lowPositives = createWorstList<Mistake>(MISTAKES_KEPT);
  return {
    add(row, positive, judgement) {
      const probability = probabilityOf(judgement.labels, label);
      examples.push({ probability, positive });
      for (const decision of decisions) {
        decision.confusion = withDecision(decision.confusion, decision.flags(judgement), positive);
      }
      const mistake = mistakeOf(row, positive ? 'positive' : 'negative', probability, judgement);
      if (positive) lowPositives.offer(mistake, -probability);
      else highNegatives.offer(mistake, probability);
    },
    figures() {
      const positives = examples.filter(({ positive }) => positive).length;
      return {
        kind: 'binary',
        positives,
        negatives: examples.length - positives,
        rocAuc: rocAuc(examples),
        averagePrecision: averagePrecision(examples),
        bestF1: bestF1(examples),
        brierScore: brierScore(examples),
        expectedCalibrationError: expectedCalibrationError(examples),
        decisions: decisions.map(({ name, confusion }) => ({ name, ...decisionFigures(confusion) })),
      };
    },
    mistakes: () => [
      { title: `Negatives with the highest probability of ${label}`, mistakes: highNegatives.items() },
      { title: `Positives with the lowest probability of ${label}`, mistakes: lowPositives.items() },
    ],
  };
}

/** Judges the likeliest of the three sentiments: the verdict's own says "toxic" in the Toxic band, which no data set does. */
export function createSentimentEvaluation(): Evaluation<Sentiment> {
  const counter = createChoiceCounter(SENTIMENTS);
  const wrong = createWorstList<Mistake>(MISTAKES_KEPT);
  return {
    add(row, truth, judgement) {
      const { sentiment, probability } = likeliest(judgement.sentiments);
      counter.add(truth, sentiment);
      if (sentiment === truth) return;
      wrong.offer(mistakeOf(row, `${truth}, judged ${sentiment}`, probability, judgement), probability);
    },
    figures: () => ({ kind: 'sentiment', ...counter.figures() }),
    mistakes: () => [{ title: 'Wrong sentiments with the highest probability', mistakes: wrong.items() }],
  };
}

function likeliest(sentiments: Probabilities): { sentiment: Sentiment; probability: number } {
  return SENTIMENTS.map((sentiment) => ({ sentiment, probability: probabilityOf(sentiments, sentiment) })).reduce(
    (best, each) => (each.probability > best.probability ? each : best),
  );
}

function probabilityOf(probabilities: Probabilities, name: string): number {
  const probability = probabilities[name];
  if (probability === undefined) {
    const known = Object.keys(probabilities).join(', ');
    throw new OperatorError(`The model gives no probability of ${name}; it gives: ${known}`);
  }
  return probability;
}

function mistakeOf(
  { row, text }: { readonly row: number; readonly text: string },
  truth: string,
  probability: number,
  { score, passed, categories }: Judgement,
): Mistake {
  return { row, truth, probability, score, passed, categories, text };
}
