/** Arithmetic of probabilities in log-odds. Pure functions that know nothing of labels or texts. */

/** Infinite for what is certain. */
export function logOddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}

export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** The probability with so many log-odds taken off; what is certain stays so. */
export function lowered(probability: number, logOdds: number): number {
  if (logOdds === 0 || probability <= 0 || probability >= 1) return probability;
  return sigmoid(logOddsOf(probability) - logOdds);
}

/** The weighted mean in log-odds. 0 and 1 outweigh any other probability; of both of them it is one half. */
export function between(one: number, other: number, weightOfOther: number): number {
  const weighted = (1 - weightOfOther) * logOddsOf(one) + weightOfOther * logOddsOf(other);
  return Number.isNaN(weighted) ? 0.5 : sigmoid(weighted);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
