/** Promises of the figures: they equal scikit-learn's, ties included, and what is undefined is null. */
import { describe, expect, it } from 'vitest';
import { brierScore, expectedCalibrationError } from '../../../../benchmarks/accuracy/metrics/calibration.js';
import { createChoiceCounter } from '../../../../benchmarks/accuracy/metrics/classes.js';
import { decisionFigures, EMPTY_CONFUSION, withDecision } from '../../../../benchmarks/accuracy/metrics/decision.js';
import { averagePrecision, bestF1, rocAuc, type Example } from '../../../../benchmarks/accuracy/metrics/ranking.js';

function examplesOf(probabilities: readonly number[], positives: readonly number[]): Example[] {
  return probabilities.map((probability, index) => ({ probability, positive: positives[index] === 1 }));
}

const perfect = examplesOf([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0]);
const tied = examplesOf([0.9, 0.8, 0.8, 0.8, 0.6, 0.6, 0.5, 0.3, 0.3, 0.1], [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]);
/** 500 examples at 21 probabilities, so that almost all are tied. */
const heavilyTied = Array.from({ length: 500 }, (_, i): Example => {
  const rank = (i * 37) % 101;
  return { probability: Math.floor(rank / 5) / 20, positive: ((i * 53) % 7 < 3 && rank > 20) || i % 11 === 0 };
});

describe('ranking', () => {
  it('counts a tie of a positive and a negative as half a win', () => {
    expect(rocAuc(examplesOf([0.5, 0.5], [1, 0]))).toBe(0.5);
    expect(rocAuc(examplesOf([0.9, 0.5, 0.5, 0.1], [1, 1, 0, 0]))).toBe(0.875);
  });

  it('is 1 for a perfect order and 0 for the reverse', () => {
    expect(rocAuc(perfect)).toBe(1);
    expect(averagePrecision(perfect)).toBe(1);
    expect(rocAuc(perfect.map(({ probability, positive }) => ({ probability, positive: !positive })))).toBe(0);
  });

  // roc_auc_score and average_precision_score of scikit-learn on the same examples.
  it('equals scikit-learn where probabilities are tied', () => {
    expect(rocAuc(tied)).toBeCloseTo(0.76, 12);
    expect(averagePrecision(tied)).toBeCloseTo(0.7444444444444445, 12);
    expect(rocAuc(heavilyTied)).toBeCloseTo(0.6138893035444759, 12);
    expect(averagePrecision(heavilyTied)).toBeCloseTo(0.4784390440222989, 12);
  });

  it('does not depend on the order of the examples', () => {
    const reversed = heavilyTied.toReversed();
    expect(rocAuc(reversed)).toBe(rocAuc(heavilyTied));
    expect(averagePrecision(reversed)).toBe(averagePrecision(heavilyTied));
    expect(bestF1(reversed)).toEqual(bestF1(heavilyTied));
  });

  // The maximum over precision_recall_curve of scikit-learn.
  it('finds the threshold with the highest F1', () => {
    expect(bestF1(tied)).toEqual({ threshold: 0.6, f1: expect.closeTo(0.7272727272727272, 12) as number });
    expect(bestF1(heavilyTied)).toEqual({ threshold: 0.2, f1: expect.closeTo(0.6258278145695365, 12) as number });
  });

  it('is null where one of the classes is missing', () => {
    const negatives = examplesOf([0.9, 0.1], [0, 0]);
    expect([rocAuc(negatives), averagePrecision(negatives), bestF1(negatives)]).toEqual([null, null, null]);
    expect(rocAuc(examplesOf([0.9, 0.1], [1, 1]))).toBeNull();
    expect([rocAuc([]), averagePrecision([]), bestF1([])]).toEqual([null, null, null]);
  });
});

describe('calibration', () => {
  // brier_score_loss of scikit-learn.
  it('gives the Brier score of scikit-learn', () => {
    expect(brierScore(tied)).toBeCloseTo(0.209, 12);
    expect(brierScore(heavilyTied)).toBeCloseTo(0.27614, 12);
  });

  // By hand: (0, 0.5] holds 0.2 and 0.4, one of two positive: |0.3 - 0.5|; (0.5, 1] holds 0.8 and 1, both positive: |0.9 - 1|.
  it('weighs the gap of each bin by its examples', () => {
    const examples = examplesOf([0.2, 0.4, 0.8, 1], [0, 1, 1, 1]);
    expect(expectedCalibrationError(examples, 2)).toBeCloseTo(0.5 * 0.2 + 0.5 * 0.1, 12);
  });

  // The definition in NumPy: bins (m/15, (m+1)/15], as in Guo et al. 2017.
  it('equals the definition with 15 bins', () => {
    expect(expectedCalibrationError(tied)).toBeCloseTo(0.17, 12);
    expect(expectedCalibrationError(heavilyTied)).toBeCloseTo(0.1838, 12);
  });

  it('takes the probabilities 0 and 1, and is null without examples', () => {
    expect(expectedCalibrationError(examplesOf([0, 1], [0, 1]))).toBe(0);
    expect([brierScore([]), expectedCalibrationError([])]).toEqual([null, null]);
  });
});

describe('decision', () => {
  // precision_score, recall_score, f1_score, accuracy_score and confusion_matrix of scikit-learn for "probability >= 0.6".
  it('equals scikit-learn', () => {
    const confusion = tied.reduce(
      (sum, { probability, positive }) => withDecision(sum, probability >= 0.6, positive),
      EMPTY_CONFUSION,
    );
    expect(confusion).toEqual({ truePositives: 4, falsePositives: 2, falseNegatives: 1, trueNegatives: 3 });
    const { precision, recall, f1, accuracy } = decisionFigures(confusion);
    expect(precision).toBeCloseTo(0.6666666666666666, 12);
    expect(recall).toBeCloseTo(0.8, 12);
    expect(f1).toBeCloseTo(0.7272727272727273, 12);
    expect(accuracy).toBeCloseTo(0.7, 12);
  });

  it('leaves out what has no denominator', () => {
    const { precision, recall, f1, accuracy } = decisionFigures({ ...EMPTY_CONFUSION, trueNegatives: 3 });
    expect([precision, recall, f1, accuracy]).toEqual([null, null, null, 1]);
  });
});

describe('choice among classes', () => {
  const truth = ['a', 'a', 'b', 'c', 'c', 'c', 'b', 'a'] as const;
  const predicted = ['a', 'b', 'b', 'c', 'a', 'c', 'c', 'a'] as const;

  // recall_score(average=None), balanced_accuracy_score and accuracy_score of scikit-learn.
  it('equals scikit-learn', () => {
    const counter = createChoiceCounter(['a', 'b', 'c']);
    truth.forEach((name, index) => counter.add(name, predicted[index] ?? 'a'));
    const { classes, macroRecall, accuracy } = counter.figures();
    expect(classes.map(({ recall }) => recall)).toEqual([2 / 3, 1 / 2, 2 / 3]);
    expect(classes.map((each) => each.predicted)).toEqual([
      [2, 1, 0],
      [0, 1, 1],
      [1, 0, 2],
    ]);
    expect(macroRecall).toBeCloseTo(0.611111111111111, 12);
    expect(accuracy).toBe(0.625);
  });

  it('leaves classes that do not occur out of the mean', () => {
    const counter = createChoiceCounter(['a', 'b']);
    counter.add('a', 'a');
    counter.add('a', 'b');
    expect(counter.figures()).toMatchObject({ macroRecall: 0.5, classes: [{ recall: 0.5 }, { recall: null }] });
  });
});
