/**
 * An open loop: requests are due at times that no answer can put off. Latency counts from the time a request was due, so that
 * waiting for a free connection counts, and a server that stalls is charged for everybody who would have come meanwhile.
 */
import type { Schedule } from './arrivals.js';
import type { Loop, LoopDeps } from './closed-loop.js';
import type { HttpConnection } from './http-connection.js';
import { startPacer, type Pacer } from './pacer.js';

/** Due times closer together than this share a wake-up: waking costs the machine more than it gives in precision. */
const LEAST_SLEEP_MS = 0.2;

export interface OpenLoopDeps extends LoopDeps {
  readonly schedule: Schedule;
  /** What the times of the schedule count from. */
  readonly beginMs: number;
  /** For tests. */
  readonly pacerFor?: (onWake: () => void) => Pacer;
}

export function startOpenLoop(deps: OpenLoopDeps): Loop {
  const { connections, nextRequest, recorder, schedule, beginMs, pacerFor = startPacer } = deps;
  const idle: HttpConnection[] = [...connections];
  /** Due times of requests that wait for a connection, oldest first. */
  const overdue: number[] = [];
  let nextDueMs = beginMs + schedule.next();

  const ask = (connection: HttpConnection, dueMs: number): void => {
    connection.send(nextRequest(), (answer) => {
      recorder.answered(dueMs, answer, performance.now());
      const waitingMs = overdue.shift();
      if (waitingMs === undefined) idle.push(connection);
      else ask(connection, waitingMs);
    });
  };

  const pacer = pacerFor(() => {
    for (; nextDueMs <= performance.now(); nextDueMs = beginMs + schedule.next()) {
      recorder.due(nextDueMs);
      const connection = idle.pop();
      if (connection === undefined) overdue.push(nextDueMs);
      else ask(connection, nextDueMs);
    }
    pacer.wakeAfter(Math.max(LEAST_SLEEP_MS, nextDueMs - performance.now()));
  });
  pacer.wakeAfter(Math.max(0, nextDueMs - performance.now()));

  return { stop: () => pacer.end() };
}
