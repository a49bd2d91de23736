/** When the requests of an open loop are due. Knows no clock: times are milliseconds since the beginning of the load. */
import { createRandom } from '../../robustness/random.js';

/** `even`: one every 1/rate seconds. `poisson`: as of many independent callers, with the same mean. */
export const ARRIVALS = ['even', 'poisson'] as const;
export type Arrivals = (typeof ARRIVALS)[number];

export interface Schedule {
  /** The time of the next arrival, never before the one before it. */
  next(): number;
}

export function createSchedule(kind: Arrivals, perSecond: number, seed: number): Schedule {
  if (!(perSecond > 0)) throw new RangeError('an open loop needs a rate above 0');
  const meanGapMs = 1000 / perSecond;
  let count = 0;
  let atMs = 0;
  const random = createRandom(seed);
  return {
    next() {
      // Multiplied and not added up, so that rounding does not move the rate.
      if (kind === 'even') return (count += 1) * meanGapMs;
      return (atMs -= meanGapMs * Math.log(1 - random.next()));
    },
  };
}
