/**
 * The generator's own processor time taken out of a rate. Cores beyond the workers are the generator's first; what it uses beyond them it
 * takes from the server, which would have had `workers` cores without it. A rate that used all of them is multiplied by
 * `workers / (workers - taken)`: the same rule for everything that is asked over HTTP, none for the raw loop, which nobody asks.
 */
export interface Cores {
  /** Of the machine. */
  readonly cores: number;
  /** What a server may use of them for the model. */
  readonly workers: number;
}

/** @returns the share of the server's cores that the generator took, from 0 to 1 */
export function takenShare(generatorCores: number, { cores, workers }: Cores): number {
  const spare = Math.max(0, cores - workers);
  return Math.min(1, Math.max(0, generatorCores - spare) / workers);
}

export function withoutGenerator(perSecond: number | null, generatorCores: number | null, cores: Cores): number | null {
  if (perSecond === null || generatorCores === null) return perSecond;
  const left = 1 - takenShare(generatorCores, cores);
  return left === 0 ? null : perSecond / left;
}
