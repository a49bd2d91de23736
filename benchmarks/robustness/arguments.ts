/** The command line of `bench:robustness`: that of `parapet accuracy`, and two flags more. Opens no file. */
import { OperatorError } from 'parapet/engine';
import { parseAccuracyArguments, type AccuracyOptions } from '../accuracy/arguments.js';

/** What is measured, in this order: the whole takes half an hour, a part some minutes. */
export const PARTS = ['disguises', 'length', 'kinds'] as const;
export type Part = (typeof PARTS)[number];

export interface RobustnessOptions extends AccuracyOptions {
  /** What is measured of PARTS. */
  readonly parts: ReadonlySet<Part>;
  /** Of the texts that are drawn and hidden, the share that is measured, more than 0 and at most 1. */
  readonly share: number;
}

const ONLY = '--only';
const SHARE = '--share';

/** @throws OperatorError that names the flag that is wrong */
export function parseRobustnessArguments(argv: readonly string[]): RobustnessOptions {
  const { value: only, others: withoutParts } = takeFlag(argv, ONLY, `one or more of ${PARTS.join(', ')}`);
  const { value: share = '1', others } = takeFlag(withoutParts, SHARE, 'a number');
  const options = parseAccuracyArguments(others);
  if (options.source.columns.label === undefined) throw new OperatorError('--label-column is missing. See --help.');
  refuseUnused(options);
  return { ...options, parts: partsOf(only), share: shareOf(share) };
}

/** What would be passed over in silence, and be missed only when all is measured. */
function refuseUnused({ source, labelColumns, ...options }: AccuracyOptions): void {
  const unused = {
    'a second --label-column': labelColumns.length > 1,
    '--label-kind': labelColumns.some(({ kind }) => kind !== 'toxicity'),
    '--group-column': source.columns.group !== undefined,
    '--html': options.html !== undefined,
    '--predictions': options.predictions !== undefined,
    '--compare': options.compare !== undefined,
    '--fit-threshold': options.fitTarget !== undefined,
    '--bootstrap': options.bootstrap !== undefined,
    '--url': options.service !== undefined,
  };
  for (const [flag, isGiven] of Object.entries(unused)) {
    if (isGiven) throw new OperatorError(`${flag} does not go with this command. See --help.`);
  }
}

function shareOf(word: string): number {
  const share = Number(word);
  if (!(share > 0 && share <= 1))
    throw new OperatorError(`${SHARE} must be more than 0 and at most 1, and not "${word}".`);
  return share;
}

function partsOf(only: string | undefined): ReadonlySet<Part> {
  return new Set(only === undefined ? PARTS : only.split(',').map((word) => partOf(word.trim())));
}

function partOf(word: string): Part {
  const part = PARTS.find((name) => name === word);
  if (part === undefined) throw new OperatorError(`${ONLY}: "${word}" is none of ${PARTS.join(', ')}.`);
  return part;
}

function takeFlag(
  argv: readonly string[],
  flag: string,
  needed: string,
): { value: string | undefined; others: readonly string[] } {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at === -1) return { value: undefined, others: argv };
  const [, ownValue] = argv[at]?.split(/=(.*)/su) ?? [];
  const value = ownValue ?? argv[at + 1];
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw new OperatorError(`${flag} needs ${needed}. See --help.`);
  }
  return { value, others: argv.toSpliced(at, ownValue === undefined ? 2 : 1) };
}
