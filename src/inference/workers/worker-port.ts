/** A worker's end of the messages: does one message's tasks after another's, and gives way to the HTTP thread. Knows no texts. */
import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { DoTasks, Task } from './messages.js';

/** Added to the thread's nice value. */
const NICENESS = 10;
const MOST_NICE = 19;

/** To be called once, by the module of a worker. */
export function answerTasks<Sequence>(doTasks: DoTasks<Sequence>): void {
  giveWay();
  const port = parentPort;
  // What rejects is nobody's text: it ends the thread, and another takes its place.
  port?.on('message', (tasks: readonly Task<Sequence>[]) => {
    void doTasks(tasks).then((outcomes) => port.postMessage(outcomes));
  });
}

/**
 * On Linux, threads of one process can differ in priority: the HTTP thread gets a core at once although all of them compute. Elsewhere this
 * would hold up the whole process.
 */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(Math.min(MOST_NICE, getPriority() + NICENESS));
}
