/** What a threshold is fitted for: read from the command line, and in words. */
import { OperatorError } from 'parapet/engine';
import type { Target } from './metrics/operating-points.js';

/** @throws OperatorError without a full stop: the command line adds where to look */
export function parseTarget(value: string): Target {
  if (value === 'f1') return { kind: 'f1' };
  const [, kind, share] = /^(precision|recall)=(0?\.\d+|1|1\.0*)$/.exec(value) ?? [];
  const least = Number(share);
  if (kind === undefined || !(least > 0)) {
    throw new OperatorError('--fit-threshold must be f1, precision=P or recall=R, with a share above 0 and up to 1');
  }
  return { kind: kind === 'precision' ? 'precision' : 'recall', least };
}

export function describeTarget(target: Target): string {
  switch (target.kind) {
    case 'f1':
      return 'the highest F1';
    case 'precision':
      return `the highest recall with a precision of at least ${target.least}`;
    case 'recall':
      return `the highest precision with a recall of at least ${target.least}`;
  }
}
