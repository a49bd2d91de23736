/** What is kept of a load. Types only. */
import type { StageTimes } from '../targets/stage-counters.js';
import type { ThreadUsage } from '../targets/thread-usage.js';

/** One load on one subject in one round. */
export interface Measurement {
  readonly subject: string;
  readonly load: string;
  readonly perSecond: number;
  /** The rate of an open loop. */
  readonly offeredPerSecond: number | null;
  /** Of what succeeded, ascending. */
  readonly latenciesMs: Float64Array;
  /** How many requests ended how: by status, or by why there is none. */
  readonly answers: Readonly<Record<string, number>>;
  /** CPU seconds per second. */
  readonly cpuCores: number | null;
  /** The same by kind of thread. */
  readonly threads: ThreadUsage | null;
  readonly memoryMegabytes: number | null;
  readonly generatorCores: number | null;
  readonly stages: StageTimes | null;
  /** Whether the subject had no other load meanwhile, so that what it used is of this one. */
  readonly isAlone: boolean;
}
