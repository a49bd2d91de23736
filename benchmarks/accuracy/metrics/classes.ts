/** Figures of a choice among several classes. Pure. */
import { ratio } from './decision.js';

export interface ClassFigures<Name extends string> {
  readonly name: Name;
  readonly examples: number;
  /** Of the examples of the class, how many were given it; `null` where there is none. */
  readonly recall: number | null;
  /** How many examples of the class were given which class, in the order of the classes. */
  readonly predicted: readonly number[];
}

export interface ChoiceFigures<Name extends string> {
  readonly classes: readonly ClassFigures<Name>[];
  /** Mean recall of the classes that occur. Equals scikit-learn's balanced_accuracy_score. */
  readonly macroRecall: number | null;
  readonly accuracy: number | null;
}

export interface ChoiceCounter<Name extends string> {
  add(truth: Name, predicted: Name): void;
  figures(): ChoiceFigures<Name>;
}

export function createChoiceCounter<Name extends string>(names: readonly Name[]): ChoiceCounter<Name> {
  const counts = new Map(names.map((truth) => [truth, new Map(names.map((name) => [name, 0]))]));
  const countOf = (truth: Name, predicted: Name): number => counts.get(truth)?.get(predicted) ?? 0;
  return {
    add(truth, predicted) {
      counts.get(truth)?.set(predicted, countOf(truth, predicted) + 1);
    },
    figures() {
      const classes = names.map((name): ClassFigures<Name> => {
        const predicted = names.map((other) => countOf(name, other));
        const examples = sumOf(predicted);
        return { name, examples, recall: ratio(countOf(name, name), examples), predicted };
      });
      const recalls = classes.flatMap(({ recall }) => (recall === null ? [] : [recall]));
      const right = sumOf(names.map((name) => countOf(name, name)));
      const examples = sumOf(classes.map((each) => each.examples));
      return { classes, macroRecall: ratio(sumOf(recalls), recalls.length), accuracy: ratio(right, examples) };
    },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
