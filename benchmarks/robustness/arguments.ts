/** The command line of `bench:robustness`: that of `bench:accuracy`, and one flag more. Opens no file. */
import { OperatorError } from '../../src/errors.js';
import { parseAccuracyArguments, type AccuracyOptions } from '../accuracy/arguments.js';
import type { DatasetSource } from '../accuracy/dataset/dataset.js';

export interface RobustnessOptions extends AccuracyOptions {
  /** Harmless texts of several kinds, to hide vile ones in; the label of a row is its kind. */
  readonly surroundings: DatasetSource | undefined;
}

const SURROUNDINGS = '--surroundings';

/** @throws OperatorError that names the flag that is wrong */
export function parseRobustnessArguments(argv: readonly string[]): RobustnessOptions {
  const { file, others } = takeSurroundings(argv);
  const options = parseAccuracyArguments(others);
  if (options.source.columns.label === undefined) throw new OperatorError('--label-column is missing. See --help.');
  if (options.service !== undefined) throw new OperatorError('--url does not go with this command. See --help.');
  return { ...options, surroundings: file === undefined ? undefined : sourceOf(file) };
}

function takeSurroundings(argv: readonly string[]): { file: string | undefined; others: readonly string[] } {
  const at = argv.findIndex((word) => word === SURROUNDINGS || word.startsWith(`${SURROUNDINGS}=`));
  if (at === -1) return { file: undefined, others: argv };
  const [, ownFile] = argv[at]?.split(/=(.*)/su) ?? [];
  const file = ownFile ?? argv[at + 1];
  if (file === undefined || file === '' || file.startsWith('--')) {
    throw new OperatorError(`${SURROUNDINGS} needs a file. See --help.`);
  }
  return { file, others: argv.toSpliced(at, ownFile === undefined ? 2 : 1) };
}

function sourceOf(file: string): DatasetSource {
  try {
    return parseAccuracyArguments(['--input', file, '--text-column', 'text', '--label-column', 'kind']).source;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(error.message.replace('--input', SURROUNDINGS), { cause: error });
  }
}
