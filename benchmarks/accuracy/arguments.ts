/** The command line of `parapet accuracy`: which flags there are, what they may hold and which go together. Opens no file. */
import { parseArgs } from 'node:util';
import { type DatasetSource, formatOf, OperatorError } from 'parapet/engine';
import { parseTarget } from './fit-target.js';
import {
  parseLabelColumns,
  parsePerspectiveColumns,
  type LabelColumn,
  type PerspectiveColumn,
} from './label-columns.js';
import { PEER_NAMES } from './peers/peer.js';
import type { Target } from './metrics/operating-points.js';

export interface Service {
  /** Without a trailing slash; `/v1/analyze` follows it. */
  readonly url: string;
  readonly key: string;
}

export interface AccuracyOptions {
  readonly source: DatasetSource;
  /** In the order of the labels of a row. Without any the texts are only judged. */
  readonly labelColumns: readonly LabelColumn[];
  /** Their cells stand behind those of the label columns in a row's labels. */
  readonly perspectiveColumns: readonly PerspectiveColumn[];
  /** The label of positive rows; without it 1, true and numbers from 0.5 on are positive. */
  readonly positive: string | undefined;
  readonly predictions: string | undefined;
  readonly html: string | undefined;
  readonly json: string | undefined;
  /** An earlier `json` file. */
  readonly compare: string | undefined;
  readonly fitTarget: Target | undefined;
  /** How often rows are resampled; `undefined` for as often as bounded time allows. */
  /** By name; none is named twice. */
  readonly peers: readonly string[];
  /** The command of the Python that has the peers of PyPI. */
  readonly python: string;
  readonly bootstrap: number | undefined;
  readonly seed: number;
  /** Judge over HTTP; without it the model runs inside this process. */
  readonly service: Service | undefined;
}

const FLAGS = {
  input: { type: 'string' },
  'text-column': { type: 'string' },
  'label-column': { type: 'string', multiple: true },
  'label-kind': { type: 'string' },
  positive: { type: 'string' },
  'group-column': { type: 'string' },
  'group-separator': { type: 'string' },
  'no-header': { type: 'boolean', default: false },
  delimiter: { type: 'string' },
  quoted: { type: 'boolean', default: false },
  limit: { type: 'string' },
  html: { type: 'string' },
  json: { type: 'string' },
  predictions: { type: 'string' },
  compare: { type: 'string' },
  'fit-threshold': { type: 'string' },
  'perspective-column': { type: 'string', multiple: true },
  peer: { type: 'string', multiple: true },
  python: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  bootstrap: { type: 'string' },
  seed: { type: 'string' },
} as const;

export const FLAG_NAMES = Object.keys(FLAGS);

/** @throws OperatorError that names the flag that is wrong */
export function parseAccuracyArguments(argv: readonly string[], environmentKey?: string): AccuracyOptions {
  try {
    const values = readFlags(argv);
    const labelColumns = parseLabelColumns(values['label-column'], values['label-kind']);
    const perspectiveColumns = parsePerspectiveColumns(values['perspective-column']);
    checkTogether(values, labelColumns);
    return {
      source: sourceOf(values, [...labelColumns, ...perspectiveColumns]),
      labelColumns,
      perspectiveColumns,
      positive: values.positive?.trim(),
      html: values.html,
      json: values.json,
      predictions: values.predictions,
      compare: values.compare,
      fitTarget: values['fit-threshold'] === undefined ? undefined : parseTarget(values['fit-threshold']),
      peers: peersOf(values.peer),
      python: values.python ?? 'python3',
      service: serviceOf(values.url, values.key, environmentKey),
      bootstrap: countOf('bootstrap', values.bootstrap, [0, 100_000]),
      seed: countOf('seed', values.seed, [0, 2 ** 32 - 1]) ?? 1,
    };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`${error.message}. See --help.`, { cause: error });
  }
}

type Flags = ReturnType<typeof readFlags>;

/** Flags that mean nothing without others would otherwise be passed over in silence. */
function checkTogether(values: Flags, labelColumns: readonly LabelColumn[]): void {
  for (const flag of ['positive', 'group-column', 'compare', 'fit-threshold', 'peer'] as const) {
    if (values[flag] !== undefined && labelColumns.length === 0)
      throw new OperatorError(`--${flag} needs --label-column`);
  }
  const hasBinary = labelColumns.some(({ kind }) => kind !== 'sentiment');
  for (const flag of ['positive', 'group-column', 'fit-threshold', 'peer'] as const) {
    if (values[flag] === undefined || hasBinary) continue;
    throw new OperatorError(`--${flag} does not go with sentiment, whose labels are positive, negative and neutral`);
  }
  if (values['group-separator'] !== undefined && values['group-column'] === undefined) {
    throw new OperatorError('--group-separator needs --group-column');
  }
  if (values.python !== undefined && values.peer === undefined) throw new OperatorError('--python goes with --peer');
  if (values.compare !== undefined && values.bootstrap === '0') {
    throw new OperatorError('--compare tells changes from noise by intervals: --bootstrap must not be 0');
  }
}

function readFlags(argv: readonly string[]) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    // Node adds a paragraph of advice after the first sentence.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new OperatorError(sentence ?? 'The arguments are wrong');
  }
  // The word itself is not repeated: it may be a key whose flag was forgotten.
  if (parsed.positionals.length > 0)
    throw new OperatorError('Every argument needs its flag, and values with blanks need quotes');
  for (const [flag, value] of Object.entries(parsed.values)) {
    if (value === '' || (Array.isArray(value) && value.includes(''))) throw new OperatorError(`--${flag} is empty`);
  }
  return parsed.values;
}

function sourceOf(values: Flags, [label, ...moreLabels]: readonly { readonly name: string }[]): DatasetSource {
  const { input, quoted, delimiter, 'no-header': noHeader } = values;
  const textColumn = values['text-column'];
  if (input === undefined) throw new OperatorError('--input is missing');
  if (textColumn === undefined) throw new OperatorError('--text-column is missing');
  const format = formatOf(input);
  if (format === undefined)
    throw new OperatorError('--input must end in .csv, .tsv or .jsonl, or in one of these and .gz');
  if (noHeader && format === 'jsonl') throw new OperatorError('--no-header is for .csv and .tsv');
  if (quoted && format !== 'tsv') throw new OperatorError('--quoted is for .tsv');
  if (delimiter !== undefined && format === 'jsonl') throw new OperatorError('--delimiter is for .csv and .tsv');
  if (delimiter !== undefined && !/^[^"\r\n]$/u.test(delimiter))
    throw new OperatorError('--delimiter must be one character');
  return {
    file: input,
    format,
    columns: {
      text: textColumn,
      label: label?.name,
      moreLabels: moreLabels.map(({ name }) => name),
      group: values['group-column'],
    },
    header: !noHeader,
    quoted: quoted || format === 'csv',
    delimiter,
    groupSeparator: values['group-separator'],
    limit: countOf('limit', values.limit, [1, 1e12]) ?? Infinity,
  };
}

function peersOf(names: readonly string[] = []): readonly string[] {
  if (!names.every((name) => PEER_NAMES.includes(name)))
    throw new OperatorError(`--peer must be one of ${PEER_NAMES.join(', ')}`);
  if (new Set(names).size < names.length) throw new OperatorError('--peer names one twice');
  return names;
}

function countOf(
  flag: string,
  value: string | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,13}$/.test(value) || Number(value) < least || Number(value) > most) {
    throw new OperatorError(`--${flag} must be a whole number from ${least} to ${most}`);
  }
  return Number(value);
}

function serviceOf(url: string | undefined, key: string | undefined, environmentKey = ''): Service | undefined {
  if (url === undefined) {
    if (key !== undefined) throw new OperatorError('--key goes with --url');
    return undefined;
  }
  const usedKey = (key ?? environmentKey).trim();
  if (usedKey === '') throw new OperatorError('--url needs --key, or the key in the variable PARAPET_KEY');
  // What HTTP refuses in a header would otherwise be quoted by the error of fetch().
  if (!/^[\x21-\x7e]+$/.test(usedKey)) throw new OperatorError('the key holds characters that no key has');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new OperatorError('--url must start with http:// or https://');
  if (parsed.username !== '' || parsed.password !== '')
    throw new OperatorError('--url must not hold a user name or password');
  if (parsed.search !== '' || parsed.hash !== '')
    throw new OperatorError('--url must be the base address, without ? or #');
  return { url: parsed.href.replace(/\/+$/, ''), key: usedKey };
}
