/** A worker's end of the messages: does one message's tasks after another's, and gives way to the HTTP thread. Knows no texts. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from '../../threads/thread-priority.js';
import type { DoTasks, Task } from './messages.js';

const NICENESS = 10;

/** To be called once, by the module of a worker. */
export function answerTasks<Sequence>(doTasks: DoTasks<Sequence>): void {
  giveWay(NICENESS);
  const port = parentPort;
  // What rejects is nobody's text: it ends the thread, and another takes its place.
  port?.on('message', (tasks: readonly Task<Sequence>[]) => {
    void doTasks(tasks).then((outcomes) => port.postMessage(outcomes));
  });
}
