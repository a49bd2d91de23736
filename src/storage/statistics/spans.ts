/** The spans of time in which things are counted, and how long each is kept. */
import { DAY_MS, HOUR_MS } from '../../durations.js';

/**
 * Everything is counted once in each. `kept` is how many of those in which something was counted: by number and not by age, as a clock that
 * jumps ahead must not make all of them old.
 */
export const SPANS = [
  { ms: HOUR_MS / 12, kept: 2 * 24 * 12 },
  { ms: HOUR_MS, kept: 15 * 24 },
  { ms: DAY_MS, kept: 400 },
] as const;
export type Span = (typeof SPANS)[number];

export function startOf(atMs: number, spanMs: number): number {
  return Math.floor(atMs / spanMs) * spanMs;
}
