/** How numbers are written, in all reports. */
import type { Estimate } from '../metrics/resampling.js';

export function decimal(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(4);
}

export function percent(value: number | null): string {
  return value === null ? 'n/a' : `${(100 * value).toFixed(2)}%`;
}

/** With the interval behind it: `0.9657 [0.9623, 0.9690]`. */
export function estimated(estimate: Estimate | null): string {
  if (estimate === null) return 'n/a';
  const { value, interval } = estimate;
  return interval === null ? decimal(value) : `${decimal(value)} [${interval.map(decimal).join(', ')}]`;
}

/** Probabilities have six decimals in the answers of the service; those at the end that are zeros say nothing. */
export function probability(value: number): string {
  return String(Number(value.toFixed(6)));
}

export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${decimal(Math.abs(value))}`;
}
