/** Runs the command in this process with a judge of the test's choice, and reads what it wrote. */
import { readFileSync } from 'node:fs';
import { runAccuracyCli, type AccuracyCliDeps } from '../../../../benchmarks/accuracy/accuracy-command.js';
import type { Judge } from '../../../../benchmarks/accuracy/judges/judge.js';
import { outcomeOf } from '../../../support/command-outcome.js';
import { createFakeJudge } from './judgements.js';

export function run(flags: readonly string[], judge: Judge = createFakeJudge(), more: Partial<AccuracyCliDeps> = {}) {
  return outcomeOf((streams) =>
    runAccuracyCli(flags, {
      ...streams,
      environmentKey: undefined,
      openJudge: () => Promise.resolve(judge),
      openPeer: () => Promise.reject(new Error('no peer is made up for this test')),
      ...more,
    }),
  );
}

export const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
export const jsonOf = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** One right and one wrong of each kind. */
export const LABELLED = 'text,label\n0.9,1\n0.2,0\n0.6,0\n0.1,1\n';
