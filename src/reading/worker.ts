/** The reading thread: does one job after another, and gives way to the HTTP thread. */
import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import { problemDataOf, ServiceError, type ProblemData } from '../errors.js';
import { faultOf } from '../fault.js';
import { StoreRefusal } from '../refusal.js';
import { run, type Job } from './jobs.js';

export type Outcome =
  | { readonly result: unknown }
  | { readonly problem: ProblemData }
  /** Holds nothing of a text. */
  | { readonly fault: string };

/** Added to the thread's nice value: between the HTTP thread and those that judge. On Linux alone threads differ in it. */
const NICENESS = 5;
const MOST_NICE = 19;

if (process.platform === 'linux') setPriority(Math.min(MOST_NICE, getPriority() + NICENESS));

parentPort?.on('message', (job: Job) => void outcomeOf(job).then((outcome) => parentPort?.postMessage(outcome)));

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    return { result: await run(job) };
  } catch (error) {
    if (error instanceof ServiceError) return { problem: problemDataOf(error) };
    if (error instanceof StoreRefusal) return { problem: { code: 'invalid_body', detail: error.message } };
    const { name, stack } = faultOf(error);
    return { fault: `${name} ${stack[0] ?? ''}` };
  }
}
