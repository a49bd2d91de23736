/** The thread that compiles lists of terms, one after another, and gives way to all others. */
import { parentPort } from 'node:worker_threads';
import { faultOf } from '../../errors.js';
import type { JobOutcome } from '../../threads/job-thread.js';
import { compileTerms } from '../../text/terms/compiled-terms.js';
import { giveWay } from '../../threads/thread-priority.js';

/** As nice as can be: behind the threads that judge. */
const NICENESS = 19;

giveWay(NICENESS);

parentPort?.on('message', (lists: string) => {
  try {
    const [blocked, ignored] = JSON.parse(lists) as [string[], string[]];
    const compiled = compileTerms({ blocked, ignored });
    parentPort?.postMessage({ result: compiled } satisfies JobOutcome, [compiled]);
  } catch (error) {
    const { name, stack } = faultOf(error);
    parentPort?.postMessage({ fault: `${name} ${stack[0] ?? ''}` } satisfies JobOutcome);
  }
});
