/** How the points of a series are called: five minutes and hours by the clock of this browser, days by that of UTC. */
import { DAY_MS, HOUR_MS } from '../../../durations.js';
import { dayOf, hourOf, weekdayAndHourOf } from '../shared/words.js';

interface Step {
  readonly name: string;
  readonly isOfUtc: boolean;
  readonly startInWords: (start: string) => string;
}

/** @param points of the series */
export function stepOf(stepMs: number, points: number): Step {
  if (stepMs === DAY_MS) return { name: 'day', isOfUtc: true, startInWords: dayOf };
  return {
    name: stepMs === HOUR_MS ? 'hour' : '5 minutes',
    isOfUtc: false,
    startInWords: stepMs * points > DAY_MS ? weekdayAndHourOf : hourOf,
  };
}
