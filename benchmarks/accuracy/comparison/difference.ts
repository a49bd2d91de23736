/** Whether two figures differ by more than noise, from the figures and their intervals alone. Pure. */

/** A figure whose interval is known. */
export interface Measurement {
  readonly value: number;
  readonly interval: readonly [number, number];
}

/**
 * The interval of `now - before` for two independent figures, from their own intervals of the same level: the distances to the
 * limits are added in squares. Zou and Donner 2008, "Construction of confidence intervals about effect measures: a general
 * approach", Statistics in Medicine 27 (the method of variance estimates recovery).
 */
export function differenceInterval(now: Measurement, before: Measurement): [number, number] {
  const difference = now.value - before.value;
  const down = Math.hypot(now.value - now.interval[0], before.interval[1] - before.value);
  const up = Math.hypot(now.interval[1] - now.value, before.value - before.interval[0]);
  return [difference - down, difference + up];
}
