/** The thread of pacer.ts: sleeps for as many milliseconds as it is told, fractions included, and answers when it wakes. */
import { parentPort } from 'node:worker_threads';

const neverChanged = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

parentPort?.on('message', (milliseconds: number) => {
  Atomics.wait(neverChanged, 0, 0, milliseconds);
  parentPort?.postMessage('awake');
});
