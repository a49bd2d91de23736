/** A closed loop: every connection sends its next request when it has the answer to the last one. Shows the most that a server can do. */
import type { HttpConnection } from './http-connection.js';
import type { Recorder } from './recorder.js';

export interface Loop {
  /** No further request becomes due. Those that are due already are still sent, answered and recorded. */
  stop(): void;
}

export interface LoopDeps {
  readonly connections: readonly HttpConnection[];
  readonly nextRequest: () => Uint8Array;
  readonly recorder: Recorder;
}

export function startClosedLoop({ connections, nextRequest, recorder }: LoopDeps): Loop {
  let stopped = false;
  const ask = (connection: HttpConnection): void => {
    if (stopped) return;
    // Made before the clock starts: making it is the generator's work.
    const request = nextRequest();
    const dueMs = performance.now();
    recorder.due(dueMs);
    connection.send(request, (answer) => {
      recorder.answered(dueMs, answer, performance.now());
      ask(connection);
    });
  };
  for (const connection of connections) ask(connection);
  return { stop: () => (stopped = true) };
}
