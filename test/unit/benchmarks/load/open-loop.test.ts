/** The promise of the open loop: a server that stalls is charged for all who would have come meanwhile (no coordinated omission). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSchedule } from '../../../../benchmarks/load/generator/arrivals.js';
import type { HttpConnection } from '../../../../benchmarks/load/generator/http-connection.js';
import { startOpenLoop } from '../../../../benchmarks/load/generator/open-loop.js';
import { createRecorder } from '../../../../benchmarks/load/generator/recorder.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Answers each request after 1 ms, but none before `stalledUntilMs`. */
function connectionTo(stalledUntilMs: number): HttpConnection {
  return {
    opened: Promise.resolve(),
    send(_request, done) {
      setTimeout(() => done(200), Math.max(1, stalledUntilMs - performance.now()));
    },
    close: () => undefined,
  };
}

function pacerFor(onWake: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    wakeAfter: (milliseconds: number) => (timer = setTimeout(onWake, Math.ceil(milliseconds))),
    end: () => clearTimeout(timer),
  };
}

describe('an open loop', () => {
  it('counts the wait of every request that was due during a stall', async () => {
    const beginMs = performance.now();
    const recorder = createRecorder({ beginMs, endMs: beginMs + 1000 });
    const loop = startOpenLoop({
      connections: [connectionTo(beginMs + 500)],
      nextRequest: () => new Uint8Array(),
      recorder,
      schedule: createSchedule('even', 100, 1),
      beginMs,
      pacerFor,
    });
    await vi.advanceTimersByTimeAsync(995);
    loop.stop();
    await vi.advanceTimersByTimeAsync(1000);

    const { latenciesMs, answers } = recorder.result();
    expect(answers).toEqual({ 200: 99 });
    // Requests were due every 10 ms: those of the first 400 ms waited 100 ms and more, though only one of them was on the wire.
    const waited = Array.from(latenciesMs).filter((latency) => latency >= 100);
    expect(waited.length).toBeGreaterThanOrEqual(40);
    expect(waited.length).toBeLessThan(50);
  });
});
