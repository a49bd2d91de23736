/** The reading thread: does one job after another, and gives way to the HTTP thread. */
import { parentPort } from 'node:worker_threads';
import { problemDataOf, ServiceError, faultOf, StoreRefusal } from '../errors.js';
import type { JobOutcome } from '../threads/job-thread.js';
import { giveWay } from '../threads/thread-priority.js';
import { run, type Job } from './jobs.js';

/** Between the HTTP thread and those that judge. */
const NICENESS = 5;

giveWay(NICENESS);

parentPort?.on('message', (job: Job) => void outcomeOf(job).then((outcome) => parentPort?.postMessage(outcome)));

async function outcomeOf(job: Job): Promise<JobOutcome> {
  try {
    return { result: await run(job) };
  } catch (error) {
    if (error instanceof ServiceError) return { problem: problemDataOf(error) };
    if (error instanceof StoreRefusal) return { problem: { code: 'invalid_body', detail: error.message } };
    const { name, stack } = faultOf(error);
    return { fault: `${name} ${stack[0] ?? ''}` };
  }
}
