/** Of which days a project has kept texts to try a policy on, and which of them a person watches first. Pure. */
import type { DecisionWithText } from '../../../../decisions/written-decision.js';
import type { KeptResponse } from '../../../routes/decision-schemas.js';

const PERIODS = [7, 30, 90] as const;
const MONTH = 30;

/** Days, the fewest first, no more than texts are kept for; none where they are not kept. */
export function keptPeriods(kept: KeptResponse | undefined): number[] {
  if (kept?.what !== 'texts' || !kept.canKeepTexts || kept.days === null) return [];
  const longest = Math.min(kept.days, ...PERIODS.slice(-1));
  return [...PERIODS.filter((days) => days < longest), longest];
}

/** What is tried unless somebody chooses: a month, or less where less is kept. */
export const usualPeriod = (periods: readonly number[]): number | undefined =>
  periods.filter((days) => days <= MONTH).at(-1);

export const periodInWords = (days: number): string => (days === 1 ? 'the last day' : `the last ${days} days`);

/** A line each, those whose score is nearest to what still passes first. @param passMaxScore the highest score that passes */
export function linesNearBorder(
  decisions: readonly Pick<DecisionWithText, 'text' | 'score'>[],
  passMaxScore: number,
): string[] {
  const distanceOf = (score: number): number => Math.abs(score - (passMaxScore + 0.5));
  const lines = decisions
    .toSorted((one, other) => distanceOf(one.score) - distanceOf(other.score))
    .map(({ text }) => (text ?? '').replaceAll(/\s+/g, ' ').trim());
  return [...new Set(lines)].filter((line) => line !== '');
}
