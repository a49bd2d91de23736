/**
 * The process behind `node benchmarks/dist/robustness/steps.js`, after `npm run build` and a build of the benchmarks: what each step of the
 * normaliser earns. Our own severe and harmless sentences, disguised, are judged by an engine with all steps and by one without each.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setEnvironmentData } from 'node:worker_threads';
import { createEngine, LEFT_OUT, normalise, optionsFromEnvironment, STEPS } from 'parapet/engine';
import { renderText } from '../accuracy/report/text-report.js';
import { readFlags, runCommand, wrongFlag } from '../command.js';
import { dataFile } from '../data-file.js';
import { parseProbes } from '../probes/probe.js';
import { charactersOf, SYMBOL_CATEGORIES } from '../symbols/code-points.js';
import { PLACEMENTS } from '../symbols/placements.js';
import { DISGUISES, disguised } from './disguises.js';
import { createRandom, partOf, sample, type Random } from './random.js';

const HELP = `Usage: node benchmarks/dist/robustness/steps.js [--share S] [--seed N]

Says for each step of the normaliser, and each disguise on which it does anything, how many points more of our own severe
sentences fail with it than without it, and how many points more of our harmless ones. Disguises are those of
bench:robustness and bench:symbols, and some that those do not have. --share 0.1 takes a tenth of the sentences.
`;

/** Points in 100 that a step changes. */
interface Effect {
  readonly step: string;
  readonly form: string;
  readonly found: number;
  readonly flagged: number;
}

type Form = (text: string, random: Random) => string;

const GENERATOR_ALPHABET = Array.from('卂乃匚ᗪ乇千Ꮆ卄丨フҜㄥ爪几ㄖ卩Ɋ尺丂ㄒㄩᐯ山乂ㄚ乙');
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/\bkill yourself\b/giu, 'kys'],
  [/\bkill\b/giu, 'unalive'],
  [/\bsuicide\b/giu, 'sewerslide'],
];
const WORD = /[A-Za-z]{4,}/gu;

function shifted(first: number): Form {
  return (text) =>
    text.toLowerCase().replace(/[a-z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 0x61));
}

function cut(between: string): Form {
  return (text, random) =>
    text.replace(WORD, (word) => {
      const at = 1 + random.below(word.length - 1);
      return word.slice(0, at) + between + word.slice(at);
    });
}

const SYMBOLS = SYMBOL_CATEGORIES.flatMap(charactersOf);

const FORMS: Readonly<Record<string, Form>> = {
  none: (text) => text,
  ...Object.fromEntries(
    DISGUISES.map((disguise): [string, Form] => [disguise.name, (text, random) => disguised(text, disguise, random)]),
  ),
  ...Object.fromEntries(
    Object.entries(PLACEMENTS).map(([name, place]): [string, Form] => [
      `symbol ${name}`,
      (text, random) => place(text, random.pick(SYMBOLS)),
    ]),
  ),
  'tags within words': cut('<b></b>'),
  'a space within words': cut(' '),
  'letters of a generator': (text) =>
    text.toLowerCase().replace(/[a-z]/g, (letter) => GENERATOR_ALPHABET[letter.charCodeAt(0) - 0x61] ?? letter),
  'fullwidth letters': shifted(0xff41),
  'circled letters': shifted(0x24d0),
  'without spaces': (text) => text.repeat(1 + Math.floor(100 / text.length)).replace(/\s/gu, ''),
  renamed: (text) => RENAMED.reduce((renamed, [word, name]) => renamed.replace(word, name), text),
};

await runCommand(HELP, run);

async function run(argv: readonly string[]): Promise<void> {
  const { share, seed } = optionsOf(argv);
  const severe = sentencesOf('severe_sentences', share, seed);
  const harmless = sentencesOf('ordinary', share, seed);
  const cases = Object.entries(FORMS).map(([form, dress]) => {
    const random = createRandom(seed);
    const dressed = (texts: readonly string[]): string[] => texts.map((text) => dress(text, random));
    return { form, severe: dressed(severe), harmless: dressed(harmless) };
  });
  const all = [...new Set(cases.flatMap((one) => [...one.severe, ...one.harmless]))];
  const changedBy = STEPS.map(({ name: step }) => {
    const others = STEPS.filter(({ name }) => name !== step);
    return { step, texts: new Set(all.filter((text) => normalise(text) !== normalise(text, others))) };
  });
  const fails = await judgeAll([...new Set(changedBy.flatMap(({ texts }) => [...texts]))]);
  const effects: Effect[] = [];
  for (const { step, texts } of changedBy) {
    const failsWithout = await judgeAll([...texts], step);
    const points = (dressed: readonly string[]): number => {
      const changed = dressed.filter((text) => texts.has(text));
      return (100 * (countOf(changed, fails) - countOf(changed, failsWithout))) / dressed.length;
    };
    for (const { form, ...dressed } of cases) {
      if (![...dressed.severe, ...dressed.harmless].some((text) => texts.has(text))) continue;
      effects.push({ step, form, found: points(dressed.severe), flagged: points(dressed.harmless) });
    }
  }
  const rows = effects.map(({ step, form, found, flagged }) => [step, form, found.toFixed(1), flagged.toFixed(1)]);
  const title = `Points that each step changes, of ${severe.length} severe and ${harmless.length} harmless sentences`;
  const headings = ['', 'disguise', 'found', 'flagged'];
  process.stdout.write(renderText([{ title, headings, rows }], []));
}

/** Which of the texts fail. */
async function judgeAll(texts: readonly string[], leftOut?: string): Promise<Map<string, boolean>> {
  if (texts.length === 0) return new Map();
  setEnvironmentData(LEFT_OUT, leftOut);
  const engine = await createEngine(optionsFromEnvironment());
  try {
    const judgements = await engine.judgeAll(texts);
    return new Map(texts.map((text, index) => [text, judgements[index]?.passed === false]));
  } finally {
    await engine.close();
  }
}

function countOf(texts: readonly string[], fails: ReadonlyMap<string, boolean>): number {
  return texts.filter((text) => fails.get(text)).length;
}

function sentencesOf(probes: string, share: number, seed: number): string[] {
  const file = dataFile(`probes/${probes}.jsonl`);
  const texts = parseProbes(file.pathname, readFileSync(file, 'utf8')).map(({ text }) => text);
  return sample(texts, partOf(texts.length, share), createRandom(seed));
}

function optionsOf(argv: readonly string[]): { share: number; seed: number } {
  const values = readFlags(argv, {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  });
  const share = Number(values.share);
  const seed = Number(values.seed);
  if (!(share > 0 && share <= 1)) throw wrongFlag('--share must be more than 0 and at most 1');
  if (!Number.isSafeInteger(seed)) throw wrongFlag('--seed must be a whole number');
  return { share, seed };
}
