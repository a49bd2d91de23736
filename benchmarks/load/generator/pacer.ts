/**
 * Wakes the generator at times more precise than the whole milliseconds of Node's timers, without spinning on a core that the
 * server may need: a thread of its own sleeps and then says so.
 */
import { Worker } from 'node:worker_threads';

export interface Pacer {
  wakeAfter(milliseconds: number): void;
  /** It wakes nobody any more. */
  end(): void;
}

export function startPacer(onWake: () => void): Pacer {
  const thread = new Worker(new URL('./pacer-thread.js', import.meta.url));
  thread.on('message', onWake);
  return {
    wakeAfter: (milliseconds) => thread.postMessage(milliseconds),
    end() {
      thread.off('message', onWake);
      void thread.terminate();
    },
  };
}
