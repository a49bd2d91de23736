/** The process behind `npm run bench:symbols`: whether a character can hide a word, for all characters of Unicode that are no letters. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.js';
import { OperatorError, ServiceError } from '../../src/errors.js';
import { createInProcessJudge } from '../accuracy/judges/in-process-judge.js';
import { openOutputs } from '../accuracy/output-file.js';
import type { Table } from '../accuracy/report/table.js';
import { renderText } from '../accuracy/report/text-report.js';
import { parseProbes, type Probe } from '../probes/probe.js';
import { createRandom } from '../robustness/random.js';
import { OTHER_CATEGORIES, SYMBOL_CATEGORIES } from './code-points.js';
import { PLACEMENTS } from './placements.js';
import { judgedRight, sweep, type SweepFigures } from './sweep.js';

const HELP = `Usage: npm run --silent bench:symbols -- [--share S] [--seed N] [--json FILE]

Puts every assigned code point of Unicode's categories of symbols, numbers, modifier letters, punctuation, format
characters and marks before every word, after every word, between the letters and in place of the spaces of a severe and
a harmless sentence of our own probes, and says by category how many severe ones still fail and how many harmless ones
do not pass any more. What the service reads as the plain sentence is not judged again. --share 0.1 takes a tenth of
the code points: the whole takes some twenty minutes on two cores. --seed draws others. The model runs in this process
and the settings of the service apply.
`;

// The command runs from dist/benchmarks/symbols; the texts stay where they are written.
const probesOf = (name: string): URL => new URL(`../../../benchmarks/probes/${name}.jsonl`, import.meta.url);

const TITLES = { found: 'Severe sentences found', flagged: 'Harmless sentences newly flagged' } as const;

try {
  if (process.argv.includes('--help')) process.stdout.write(HELP);
  else await run();
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ServiceError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const { share, seed, json } = optionsOf();
  const output = (await openOutputs({ json }, [])).get('json');
  try {
    const judge = await createInProcessJudge(loadConfig(), (problem) => process.stderr.write(`${problem}\n`));
    try {
      const sentences = await judgedRight(judge, {
        severe: textsOf('severe_sentences', ({ list }) => list === 1),
        harmless: textsOf('ordinary'),
      });
      const random = createRandom(seed);
      const figures: SweepFigures[] = [];
      for (const category of [...SYMBOL_CATEGORIES, ...OTHER_CATEGORIES]) {
        figures.push(...(await sweep(judge, sentences, category, share, random)));
      }
      process.stdout.write(renderText([tableOf(figures, 'found'), tableOf(figures, 'flagged')], []));
      await output?.write(`${JSON.stringify({ seed, share, figures }, null, 2)}\n`);
      await output?.commit();
    } finally {
      await judge.close();
    }
  } finally {
    await output?.discard();
  }
}

function optionsOf(): { share: number; seed: number; json: string | undefined } {
  const { values } = readArguments();
  const share = Number(values.share);
  const seed = Number(values.seed);
  if (!(share > 0 && share <= 1)) throw new OperatorError(`--share must be more than 0 and at most 1. See --help.`);
  if (!Number.isSafeInteger(seed)) throw new OperatorError(`--seed must be a whole number. See --help.`);
  return { share, seed, json: values.json };
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        share: { type: 'string', default: '1' },
        seed: { type: 'string', default: '1' },
        json: { type: 'string' },
      },
    });
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : 'Unknown flag.'} See --help.`);
  }
}

function textsOf(name: string, isWanted: (probe: Probe) => boolean = () => true): string[] {
  const file = probesOf(name);
  return parseProbes(file.pathname, readFileSync(file, 'utf8'))
    .filter(isWanted)
    .map(({ text }) => text);
}

function tableOf(figures: readonly SweepFigures[], what: 'found' | 'flagged'): Table {
  const categories = [...new Set(figures.map(({ category }) => category))];
  return {
    title: TITLES[what],
    headings: ['', 'characters', ...Object.keys(PLACEMENTS)],
    rows: categories.map((category) => {
      const ofCategory = figures.filter((figure) => figure.category === category);
      return [
        category,
        String(ofCategory[0]?.characters ?? 0),
        ...ofCategory.map((figure) => `${(figure[what] * 100).toFixed(1)} %`),
      ];
    }),
  };
}
