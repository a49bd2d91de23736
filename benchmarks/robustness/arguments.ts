/** The command line of `bench:robustness`: that of `bench:accuracy`, and three flags more. Opens no file. */
import { type DatasetSource, OperatorError } from 'parapet/engine';
import { parseAccuracyArguments, type AccuracyOptions } from '../accuracy/arguments.js';

/** What is measured, in this order: the whole takes half an hour, a part some minutes. */
export const PARTS = ['disguises', 'length', 'kinds', 'surroundings'] as const;
export type Part = (typeof PARTS)[number];

export interface RobustnessOptions extends AccuracyOptions {
  /** What is measured of PARTS; `surroundings` is among them where there are some. */
  readonly parts: ReadonlySet<Part>;
  /** Harmless texts of several kinds, to hide severe ones in; the label of a row is its kind. */
  readonly surroundings: DatasetSource | undefined;
  /** Of the texts that are drawn and hidden, the share that is measured, more than 0 and at most 1. */
  readonly share: number;
}

const SURROUNDINGS = '--surroundings';
const ONLY = '--only';
const SHARE = '--share';

/** @throws OperatorError that names the flag that is wrong */
export function parseRobustnessArguments(argv: readonly string[]): RobustnessOptions {
  const { value: file, others: withoutFile } = takeFlag(argv, SURROUNDINGS, 'a file');
  const { value: only, others: withoutParts } = takeFlag(withoutFile, ONLY, `one or more of ${PARTS.join(', ')}`);
  const { value: share = '1', others } = takeFlag(withoutParts, SHARE, 'a number');
  const options = parseAccuracyArguments(others);
  if (options.source.columns.label === undefined) throw new OperatorError('--label-column is missing. See --help.');
  refuseUnused(options);
  const surroundings = file === undefined ? undefined : sourceOf(file);
  return { ...options, surroundings, parts: partsOf(only, surroundings !== undefined), share: shareOf(share) };
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

function partsOf(only: string | undefined, haveSurroundings: boolean): ReadonlySet<Part> {
  if (only === undefined) return new Set(PARTS.filter((part) => haveSurroundings || part !== 'surroundings'));
  const parts = new Set(only.split(',').map((word) => partOf(word.trim())));
  if (parts.has('surroundings') !== haveSurroundings) {
    throw new OperatorError(
      haveSurroundings
        ? `${ONLY} leaves out the texts of ${SURROUNDINGS}: add "surroundings" to it, or leave out ${SURROUNDINGS}.`
        : `${ONLY} surroundings needs ${SURROUNDINGS} and a file. See --help.`,
    );
  }
  return parts;
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

function sourceOf(file: string): DatasetSource {
  try {
    return parseAccuracyArguments(['--input', file, '--text-column', 'text', '--label-column', 'kind']).source;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(error.message.replace('--input', SURROUNDINGS), { cause: error });
  }
}
