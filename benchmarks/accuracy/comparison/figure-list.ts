/** Lists the figures of a run that have a better and a worse, under names that are the same in every run. */
import { isLargeEnough } from '../evaluation/group-figures.js';
import type { Estimate } from '../metrics/resampling.js';
import type { BinaryFigures, Measured, Results, SentimentFigures } from '../results.js';

export interface Figure {
  readonly name: string;
  readonly better: 'higher' | 'lower';
  readonly estimate: Estimate | null;
}

export function figuresOf({ measured }: Pick<Results, 'measured'>): readonly Figure[] {
  return measured.flatMap(({ labelKind, figures }: Measured) =>
    (figures.kind === 'binary' ? binaryFigures(figures) : sentimentFigures(figures)).map((figure) => ({
      ...figure,
      name: `${labelKind}, ${figure.name}`,
    })),
  );
}

function binaryFigures(figures: BinaryFigures): readonly Figure[] {
  return [
    { name: 'ROC-AUC', better: 'higher', estimate: figures.rocAuc },
    { name: 'average precision', better: 'higher', estimate: figures.averagePrecision },
    { name: 'Brier score', better: 'lower', estimate: figures.brierScore },
    { name: 'calibration error', better: 'lower', estimate: figures.expectedCalibrationError },
    ...figures.decisions.flatMap(({ name, threshold, precision, recall, f1 }): readonly Figure[] => {
      const ofF1: Figure = { name: `${name}: F1`, better: 'higher', estimate: f1 };
      // The threshold of the best F1 moves freely, and with it precision against recall: that is no change for the worse.
      if (threshold !== null) return [ofF1];
      return [
        { name: `${name}: precision`, better: 'higher', estimate: precision },
        { name: `${name}: recall`, better: 'higher', estimate: recall },
        ofF1,
      ];
    }),
    ...(figures.groups?.groups ?? [])
      .filter(isLargeEnough)
      .flatMap(({ name, subgroupAuc, bpsnAuc, bnspAuc }): readonly Figure[] => [
        { name: `group ${name}: subgroup AUC`, better: 'higher', estimate: subgroupAuc },
        { name: `group ${name}: BPSN AUC`, better: 'higher', estimate: bpsnAuc },
        { name: `group ${name}: BNSP AUC`, better: 'higher', estimate: bnspAuc },
      ]),
  ];
}

function sentimentFigures({ macroRecall, accuracy, classes }: SentimentFigures): readonly Figure[] {
  return [
    { name: 'macro-recall', better: 'higher', estimate: macroRecall },
    { name: 'accuracy', better: 'higher', estimate: accuracy },
    ...classes.map(({ name, recall }): Figure => ({ name: `recall of ${name}`, better: 'higher', estimate: recall })),
  ];
}
