/** Does work of many small steps at once, or in slices between which the thread serves others. Knows nothing of the work. */
import { performance } from 'node:perf_hooks';
import { setImmediate as othersServed } from 'node:timers/promises';

/** Each `yield` is a moment at which the work may pause: at most some 10 µs after the one before. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** What a request that comes at the worst moment waits for; shorter slices would mostly pay for the pauses. */
const SLICE_MS = 5;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let endMs = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < endMs) continue;
    await othersServed();
    endMs = performance.now() + SLICE_MS;
  }
}
