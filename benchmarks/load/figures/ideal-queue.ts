/**
 * The least that callers wait who come when they come: one queue, first come, first served, by whichever server is free first, and
 * nothing takes time but the service itself (Kiefer and Wolfowitz 1955, "On the theory of queues with many servers").
 */
import { createSchedule } from '../generator/arrivals.js';
import type { OpenPace } from '../generator/load-plan.js';

export interface Queue {
  /** Ascending. */
  readonly arrivalsMs: readonly number[];
  /** Of each arrival in turn, begun anew after the last. */
  readonly serviceMs: Float64Array;
  readonly servers: number;
}

/** @returns of each arrival, the time from then until it is served */
export function timesInQueue({ arrivalsMs, serviceMs, servers }: Queue): Float64Array {
  const freeAtMs = new Float64Array(servers);
  return Float64Array.from(arrivalsMs, (arrivalMs, index) => {
    const server = freeAtMs.indexOf(Math.min(...freeAtMs));
    const doneMs = Math.max(arrivalMs, freeAtMs[server] ?? 0) + (serviceMs[index % serviceMs.length] ?? 0);
    freeAtMs[server] = doneMs;
    return doneMs - arrivalMs;
  });
}

export interface OpenLoad extends Omit<Queue, 'arrivalsMs'> {
  readonly pace: OpenPace;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** Of the very arrivals of an open loop, those that are measured; ascending. */
export function idealLatencies({ pace, warmUpMs, measureMs, serviceMs, servers }: OpenLoad): Float64Array {
  const schedule = createSchedule(pace.arrivals, pace.perSecond, pace.seed);
  const arrivalsMs: number[] = [];
  for (let atMs = schedule.next(); atMs < warmUpMs + measureMs; atMs = schedule.next()) arrivalsMs.push(atMs);
  const times = timesInQueue({ arrivalsMs, serviceMs, servers });
  return times.filter((_, index) => (arrivalsMs[index] ?? 0) >= warmUpMs).sort();
}
