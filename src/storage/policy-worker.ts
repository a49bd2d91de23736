/** The thread that reads long policy files, one after another, and gives way to all others. */
import { parentPort } from 'node:worker_threads';
import { faultOf, OperatorError } from '../errors.js';
import type { JobOutcome } from '../threads/job-thread.js';
import { giveWay } from '../threads/thread-priority.js';
import { openPolicyFile, policyReadOf, type PolicyRead } from './policy-file.js';

/** As nice as can be: what is long has lists, which are compiled so as well. */
const NICENESS = 19;

export interface PolicyFileRead {
  readonly read: PolicyRead | undefined;
  /** Why the file cannot be read, for the operator. */
  readonly refusal?: string;
}

giveWay(NICENESS);

parentPort?.on('message', (path: string) => parentPort?.postMessage(outcomeOf(path)));

function outcomeOf(path: string): JobOutcome {
  try {
    const { record } = openPolicyFile({ path }).read();
    return { result: { read: policyReadOf(record) } satisfies PolicyFileRead };
  } catch (error) {
    if (error instanceof OperatorError) {
      return { result: { read: undefined, refusal: error.message } satisfies PolicyFileRead };
    }
    const { name, stack } = faultOf(error);
    return { fault: `${name} ${stack[0] ?? ''}` };
  }
}
