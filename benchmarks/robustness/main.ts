/** The process behind `npm run bench:robustness`: how far verdicts change when texts are disguised, or long. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { loadConfig } from '../../src/config.js';
import { OperatorError, ServiceError } from '../../src/errors.js';
import { parseAccuracyArguments, type AccuracyOptions } from '../accuracy/arguments.js';
import { readRows } from '../accuracy/dataset/dataset.js';
import { isPositive } from '../accuracy/ground-truth.js';
import { createInProcessJudge } from '../accuracy/judges/in-process-judge.js';
import { refusalOf } from '../accuracy/judges/judge.js';
import type { Table } from '../accuracy/report/result-tables.js';
import { renderText } from '../accuracy/report/text-report.js';
import {
  measureDisguises,
  measureLength,
  type DisguiseFigures,
  type LabelledTexts,
  type LengthFigures,
} from './measurements.js';

const HELP = `Usage: npm run --silent bench:robustness -- --input FILE --text-column C --label-column C [--json FILE]

Judges up to 500 toxic and 500 harmless texts of the file plain and in eight disguises; then harmless
texts joined to 9,900 characters, alone and with one vile text hidden in them. The flags for the file are those
of bench:accuracy. The model runs in this process and the settings of the service apply.
`;

try {
  if (process.argv.includes('--help')) process.stdout.write(HELP);
  else await run(optionsOf(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ServiceError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function optionsOf(argv: readonly string[]): AccuracyOptions {
  const options = parseAccuracyArguments(argv);
  if (options.source.columns.label === undefined) throw new OperatorError('--label-column is missing. See --help.');
  if (options.service !== undefined) throw new OperatorError('--url does not go with this command. See --help.');
  return options;
}

async function run(options: AccuracyOptions): Promise<void> {
  const texts = await readTexts(options);
  const judge = await createInProcessJudge(loadConfig(), (problem) => process.stderr.write(`${problem}\n`));
  try {
    const disguises = await measureDisguises(judge, texts);
    const length = await measureLength(judge, texts);
    process.stdout.write(renderText([disguiseTable(disguises), lengthTable(length)], []));
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ disguises, length }, null, 2)}\n`);
  } finally {
    await judge.close();
  }
}

async function readTexts({ source, positive }: AccuracyOptions): Promise<LabelledTexts> {
  const toxic: string[] = [];
  const harmless: string[] = [];
  for await (const { text, label = '' } of readRows(source)) {
    if (refusalOf(text) === undefined) (isPositive(label, positive) ? toxic : harmless).push(text);
  }
  if (toxic.length === 0 || harmless.length === 0) {
    throw new OperatorError(`${source.file}: there must be both toxic and harmless texts; see --positive.`);
  }
  return { toxic, harmless };
}

function disguiseTable(figures: readonly DisguiseFigures[]): Table {
  return {
    title: 'Disguises',
    headings: ['', 'recall', 'false alarms'],
    rows: figures.map(({ disguise, recall, falseAlarms }) => [disguise, percent(recall), percent(falseAlarms)]),
  };
}

function lengthTable({ shortFlagged, longFlagged, longTexts, found, hidden }: LengthFigures): Table {
  return {
    title: 'Length',
    headings: ['', 'flagged'],
    rows: [
      ['harmless texts alone', percent(shortFlagged)],
      [`${longTexts} of harmless texts joined`, percent(longFlagged)],
      ...Object.entries(found).map(([place, share]) => [`${hidden} with a vile text (${place})`, percent(share)]),
    ],
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
