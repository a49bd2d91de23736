/** The decisions that the service takes, whatever its settings are, as far as they bear on a label. */
import { CATEGORY_OF_LABEL, type Label } from 'parapet/engine';
import type { Judgement } from '../judges/judge.js';
import { unpackOutcome, type Outcome } from './outcome.js';

export interface ServedDecision {
  readonly name: string;
  readonly flags: (outcome: Outcome) => boolean;
}

export interface ServedDecisions {
  readonly all: readonly ServedDecision[];
  /** The one that is meant for the label: for toxicity what is served, for any other label its category. */
  readonly main: ServedDecision;
}

export function servedDecisions(label: Label): ServedDecisions {
  const notPassed: ServedDecision = { name: 'not passed', flags: ({ passed }) => !passed };
  const moderate: ServedDecision = { name: 'score ≥ 4', flags: ({ score }) => score >= 4 };
  // For toxicity the category says little more than the score does.
  if (label === 'toxicity') return { all: [notPassed, moderate], main: notPassed };
  const category: ServedDecision = {
    name: `category ${CATEGORY_OF_LABEL[label]}`,
    flags: ({ detected }) => detected,
  };
  return { all: [notPassed, moderate, category], main: category };
}

export function outcomeOf({ passed, score, categories, blocked = false }: Judgement, label: Label): Outcome {
  return { passed, score, detected: categories.includes(CATEGORY_OF_LABEL[label]), blocked };
}

/** Whether a packed outcome is flagged. */
export function isFlagged(packed: number, { flags }: ServedDecision): boolean {
  return flags(unpackOutcome(packed));
}
