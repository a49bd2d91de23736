/** Kept texts on the page of policies: periods that are no longer than texts are kept, and those near the border first. */
import { describe, expect, it } from 'vitest';
import { keptPeriods, linesNearBorder, usualPeriod } from '../../../src/dashboard/page/policies/preview/kept-texts.js';
import type { KeptResponse } from '../../../src/dashboard/routes/decision-schemas.js';

const keptFor = (days: number): KeptResponse => ({
  ...{ what: 'texts', days, reference: null, canKeepTexts: true, lost: 0 },
});

describe('the periods of kept texts', () => {
  it.each([
    [1, [1], 1],
    [7, [7], 7],
    [14, [7, 14], 14],
    [30, [7, 30], 30],
    [45, [7, 30, 45], 30],
    [365, [7, 30, 90], 30],
  ])('of %i days are %j, and %i usually', (days, periods, usual) => {
    expect(keptPeriods(keptFor(days))).toEqual(periods);
    expect(usualPeriod(periods)).toBe(usual);
  });

  it('are none where texts are not kept, cannot be, or it is not known yet', () => {
    expect(keptPeriods({ ...keptFor(30), what: 'verdicts' })).toEqual([]);
    expect(keptPeriods({ ...keptFor(30), canKeepTexts: false })).toEqual([]);
    expect(keptPeriods(undefined)).toEqual([]);
    expect(usualPeriod([])).toBeUndefined();
  });
});

describe('texts to watch', () => {
  it('are a line each, once, those next to the highest score that passes first, the latest of them first', () => {
    const decisions = [
      { text: 'far', score: 9 },
      { text: 'just\r\npassed ', score: 3 },
      { text: 'just failed', score: 4 },
      { text: null, score: 4 },
      { text: 'just passed', score: 3 },
      { text: ' \n', score: 3 },
      { text: 'safe', score: 0 },
    ];
    expect(linesNearBorder(decisions, 3)).toEqual(['just passed', 'just failed', 'safe', 'far']);
  });
});
