/** The machine that a run was on. */
import { availableParallelism, cpus, release, totalmem, type as systemName } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly node: string;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 1e8) / 10,
    system: `${systemName()} ${release()}`,
    node: process.version,
  };
}
