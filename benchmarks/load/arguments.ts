/** The command line of `bench:load`: which flags there are and what they may hold. Opens no file. */
import { readFlags, wholeNumber, wrongFlag } from '../command.js';
import { ARRIVALS, type Arrivals } from './generator/arrivals.js';
import type { TextFile } from './texts/text-pool.js';

export interface LoadOptions {
  readonly rounds: number;
  /** How long each load is measured in each round, and how long it runs before that. */
  readonly measureMs: number;
  readonly warmUpMs: number;
  /** Of the service; as many sessions and processes the peers get. */
  readonly workers: number;
  readonly arrivals: Arrivals;
  /** Requests of the memory test; 0 leaves it out. */
  readonly soakRequests: number;
  /** Only what it costs others that a project keeps decisions. */
  readonly decisions: boolean;
  /** Without it comments of ../shared/data, or generated ones. */
  readonly texts: TextFile | undefined;
  /** Without it no peers in Python are measured. */
  readonly peers: { readonly python: string; readonly checkpoint: string | undefined } | undefined;
  readonly json: string | undefined;
}

export const HELP = `Usage: npm run --silent bench:load -- [--peers] [--json FILE] ...

  --rounds N            rounds in which everything is measured in turn; medians are shown (5)
  --seconds S           how long each load is measured in a round (8)
  --warm-up S           how long each load runs before that (1)
  --workers N           worker threads of the service, and cores that the peers may use (2)
  --arrivals KIND       poisson, as of independent callers (the default), or even
  --soak N              requests of the memory test, 0 for none (500000)
  --texts FILE          .csv, .tsv or .jsonl, each also .gz, with short texts
  --text-column C       its column with the texts; a number where the file has no header (text)
  --peers               also measure FastAPI with onnxruntime, and with PyTorch
  --python PATH         the Python with the packages of benchmarks/load/peers/requirements.txt (python3)
  --checkpoint FILE     weights for PyTorch, as models/training writes them; random ones without it
  --decisions           measure nothing but unique texts beside a project that keeps 10,000 decisions a minute
  --quick               one round of one second and no memory test, to see that it works
  --json FILE           write all figures as JSON

Run npm run build first, and nothing else beside it. MODEL_DIR applies as it does to the service. Exit status: 0, or 2 with the
reason on standard error.
`;

const FLAGS = {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  'warm-up': { type: 'string' },
  workers: { type: 'string', default: '2' },
  arrivals: { type: 'string', default: 'poisson' },
  soak: { type: 'string' },
  texts: { type: 'string' },
  'text-column': { type: 'string' },
  peers: { type: 'boolean', default: false },
  python: { type: 'string' },
  checkpoint: { type: 'string' },
  decisions: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
} as const;

const FULL = { rounds: '5', seconds: '8', 'warm-up': '1', soak: '500000' };
const QUICK = { rounds: '1', seconds: '1', 'warm-up': '0.5', soak: '0' };

/** @throws OperatorError that names the flag that is wrong */
export function parseLoadArguments(argv: readonly string[]): LoadOptions {
  const values = readFlags(argv, FLAGS);
  const defaults = values.quick ? QUICK : FULL;
  const { texts, peers, python = 'python3', checkpoint, 'text-column': column } = values;
  for (const flag of ['python', 'checkpoint'] as const) {
    if (values[flag] !== undefined && !peers) throw wrongFlag(`--${flag} goes with --peers`);
  }
  if (values.decisions && (peers || values.json !== undefined))
    throw wrongFlag('--decisions goes with neither --peers nor --json');
  if (column !== undefined && texts === undefined) throw wrongFlag('--text-column goes with --texts');
  return {
    rounds: wholeNumber('rounds', values.rounds ?? defaults.rounds, 1),
    measureMs: milliseconds('seconds', values.seconds ?? defaults.seconds),
    warmUpMs: milliseconds('warm-up', values['warm-up'] ?? defaults['warm-up']),
    workers: wholeNumber('workers', values.workers, 1),
    arrivals: arrivalsOf(values.arrivals),
    soakRequests: wholeNumber('soak', values.soak ?? defaults.soak, 0),
    decisions: values.decisions,
    texts: texts === undefined ? undefined : { path: texts, column: column ?? 'text' },
    peers: peers ? { python, checkpoint } : undefined,
    json: values.json,
  };
}

function milliseconds(flag: string, value: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(value) || Number(value) === 0)
    throw wrongFlag(`--${flag} must be a number of seconds above 0`);
  return Math.round(Number(value) * 1000);
}

function arrivalsOf(value: string): Arrivals {
  const arrivals = ARRIVALS.find((kind) => kind === value);
  if (arrivals === undefined) throw wrongFlag(`--arrivals must be one of ${ARRIVALS.join(', ')}`);
  return arrivals;
}
