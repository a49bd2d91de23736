/** The process behind `npm run bench:symbols`: whether a character can hide a word, for all characters of Unicode that are no letters. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInProcessJudge } from '../accuracy/judges/in-process-judge.js';
import { openOutputs } from '../accuracy/output-file.js';
import type { Table } from '../accuracy/report/table.js';
import { renderText } from '../accuracy/report/text-report.js';
import { readFlags, runCommand, wrongFlag } from '../command.js';
import { dataFile } from '../data-file.js';
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

const TITLES = { found: 'Severe sentences found', flagged: 'Harmless sentences newly flagged' } as const;

await runCommand(HELP, run);

async function run(argv: readonly string[]): Promise<void> {
  const { share, seed, json } = optionsOf(argv);
  const output = (await openOutputs({ json }, [])).get('json');
  try {
    const judge = await createInProcessJudge();
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

function optionsOf(argv: readonly string[]): { share: number; seed: number; json: string | undefined } {
  const values = readFlags(argv, {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  });
  const share = Number(values.share);
  const seed = Number(values.seed);
  if (!(share > 0 && share <= 1)) throw wrongFlag('--share must be more than 0 and at most 1');
  if (!Number.isSafeInteger(seed)) throw wrongFlag('--seed must be a whole number');
  return { share, seed, json: values.json };
}

function textsOf(name: string, isWanted: (probe: Probe) => boolean = () => true): string[] {
  const file = dataFile(`probes/${name}.jsonl`);
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
