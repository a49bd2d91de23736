/** Percentiles, medians and means of plain numbers. */

/**
 * The nearest-rank percentile: the least value that `share` of all values do not exceed. It is always a value that occurred.
 *
 * @param sorted ascending
 * @param share from 0 to 1
 * @returns null where fewer values than one lie beyond it on average, so that it would only be the greatest by another name
 */
export function percentile(sorted: Float64Array, share: number): number | null {
  // Rounded, as 1 - 0.999 is a little more than 0.001.
  if (Math.round(sorted.length * (1 - share) * 1e6) / 1e6 < 1) return null;
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** The middle value, or the mean of the two in the middle. Values that are not there do not count. */
export function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((one, other) => one - other);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

export function mean(values: Float64Array): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
