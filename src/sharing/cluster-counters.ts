/** Counters of limits that the processes of `parapet start --processes` have in common, by rate-limiter-flexible: their primary counts. */
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RLWrapperTimeouts,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { COUNTER_OPTIONS, type Counter } from '../http/auth/rate-limit.js';

const DEADLINE_MS = 50;

/** In the primary, before it starts the others. */
export function countForProcesses(): void {
  new RateLimiterClusterMaster();
}

/** In a process that the primary started. @param insurance counts while the primary does not answer */
export function createClusterCounter(prefix: string, insurance: RateLimiterAbstract): Counter {
  return new RLWrapperTimeouts({
    ...COUNTER_OPTIONS,
    limiter: new RateLimiterCluster({ ...COUNTER_OPTIONS, keyPrefix: prefix, timeoutMs: DEADLINE_MS }),
    timeoutMs: DEADLINE_MS,
    insuranceLimiter: insurance,
  });
}
