/** The command line of `bench:accuracy`: which flags there are, what they may hold and which go together. Opens no file. */
import { parseArgs } from 'node:util';
import { OperatorError } from '../../src/errors.js';
import { LABELS, type Label } from '../../src/labels.js';
import { formatOf, type DatasetSource } from './dataset/dataset.js';

export const LABEL_KINDS = [...LABELS, 'sentiment'] as const;
export type LabelKind = Label | 'sentiment';

export interface Service {
  /** Without a trailing slash; `/v1/analyze` follows it. */
  readonly url: string;
  readonly key: string;
}

export interface AccuracyOptions {
  readonly source: DatasetSource;
  readonly labelKind: LabelKind;
  /** The label of positive rows; without it 1, true and numbers from 0.5 on are positive. */
  readonly positive: string | undefined;
  readonly predictions: string | undefined;
  readonly report: string | undefined;
  readonly json: string | undefined;
  /** Judge over HTTP; without it the model runs inside this process. */
  readonly service: Service | undefined;
}

export const HELP = `Usage: npm run --silent bench:accuracy -- --input FILE --text-column C [--label-column C] ...

  --input FILE          .csv, .tsv or .jsonl, each also .gz; UTF-8
  --text-column C       the column with the texts
  --label-column C      the column with the truth; without it the texts are only judged
  --label-kind K        what the truth is about: toxicity (the default), sentiment,
                        ${LABELS.filter((label) => label !== 'toxicity')
                          .slice(0, 4)
                          .join(', ')},
                        ${LABELS.slice(5).join(', ')}
  --positive V          the label of positive rows; without it 1, true and numbers from 0.5 on
  --no-header           the first line is a row; columns are called 0, 1, 2, ...
  --quoted              fields of a .tsv may stand in double quotes, as in a .csv
  --limit N             judge the first N rows only
  --predictions FILE    write one JSON object a row, in the order of the input
  --report FILE         write the figures and the worst mistakes as one HTML page
  --json FILE           write the figures as JSON
  --url U --key K       judge by a running service; the key may be in PARAPET_KEY instead

Without --url the model runs in this process: MODEL_DIR, INFERENCE_THREADS, PASS_MAX_SCORE and
BLOCK_CATEGORIES apply as they do to the service. Exit status: 0, or 2 with the reason on standard error.
`;

const FLAGS = {
  input: { type: 'string' },
  'text-column': { type: 'string' },
  'label-column': { type: 'string' },
  'label-kind': { type: 'string' },
  positive: { type: 'string' },
  'no-header': { type: 'boolean', default: false },
  quoted: { type: 'boolean', default: false },
  limit: { type: 'string' },
  predictions: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const;

/** @throws OperatorError that names the flag that is wrong */
export function parseAccuracyArguments(argv: readonly string[], environmentKey?: string): AccuracyOptions {
  const values = readFlags(argv);
  const labelColumn = values['label-column'];
  for (const flag of ['label-kind', 'positive'] as const) {
    if (values[flag] !== undefined && labelColumn === undefined) throw wrong(`--${flag} needs --label-column`);
  }
  const labelKind = labelKindOf(values['label-kind']);
  if (labelKind === 'sentiment' && values.positive !== undefined) {
    throw wrong('--positive does not go with --label-kind sentiment, whose labels are positive, negative and neutral');
  }
  return {
    source: sourceOf(values),
    labelKind,
    positive: values.positive?.trim(),
    predictions: values.predictions,
    report: values.report,
    json: values.json,
    service: serviceOf(values.url, values.key, environmentKey),
  };
}

type Flags = ReturnType<typeof readFlags>;

function readFlags(argv: readonly string[]) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    // Node adds a paragraph of advice after the first sentence.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw wrong(sentence ?? 'The arguments are wrong');
  }
  // The word itself is not repeated: it may be a key whose flag was forgotten.
  if (parsed.positionals.length > 0) throw wrong('Every argument needs its flag, and values with blanks need quotes');
  for (const [flag, value] of Object.entries(parsed.values)) {
    if (value === '') throw wrong(`--${flag} is empty`);
  }
  return parsed.values;
}

function sourceOf(values: Flags): DatasetSource {
  const { input, quoted, 'no-header': noHeader } = values;
  const textColumn = values['text-column'];
  if (input === undefined) throw wrong('--input is missing');
  if (textColumn === undefined) throw wrong('--text-column is missing');
  const format = formatOf(input);
  if (format === undefined) throw wrong('--input must end in .csv, .tsv or .jsonl, or in one of these and .gz');
  if (noHeader && format === 'jsonl') throw wrong('--no-header is for .csv and .tsv');
  if (quoted && format !== 'tsv') throw wrong('--quoted is for .tsv');
  return {
    file: input,
    format,
    columns: { text: textColumn, label: values['label-column'] },
    header: !noHeader,
    quoted: quoted || format === 'csv',
    limit: limitOf(values.limit),
  };
}

function limitOf(value: string | undefined): number {
  if (value === undefined) return Infinity;
  if (!/^[1-9]\d{0,11}$/.test(value)) throw wrong('--limit must be a whole number from 1 on');
  return Number(value);
}

function labelKindOf(value = 'toxicity'): LabelKind {
  const kind = LABEL_KINDS.find((name) => name === value);
  if (kind === undefined) throw wrong(`--label-kind must be one of ${LABEL_KINDS.join(', ')}`);
  return kind;
}

function serviceOf(url: string | undefined, key: string | undefined, environmentKey = ''): Service | undefined {
  if (url === undefined) {
    if (key !== undefined) throw wrong('--key goes with --url');
    return undefined;
  }
  const usedKey = (key ?? environmentKey).trim();
  if (usedKey === '') throw wrong('--url needs --key, or the key in the variable PARAPET_KEY');
  // What HTTP refuses in a header would otherwise be quoted by the error of fetch().
  if (!/^[\x21-\x7e]+$/.test(usedKey)) throw wrong('the key holds characters that no key has');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw wrong('--url must start with http:// or https://');
  if (parsed.username !== '' || parsed.password !== '') throw wrong('--url must not hold a user name or password');
  if (parsed.search !== '' || parsed.hash !== '') throw wrong('--url must be the base address, without ? or #');
  return { url: parsed.href.replace(/\/+$/, ''), key: usedKey };
}

function wrong(reason: string): OperatorError {
  return new OperatorError(`${reason}. See --help.`);
}
