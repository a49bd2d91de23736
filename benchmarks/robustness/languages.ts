/**
 * The process behind `node benchmarks/dist/robustness/languages.js`, after `npm run build` and a build of the benchmarks: how many harmful
 * sentences of several languages pass in disguise, and how many harmless ones fail. The sentences were written by a language model, 22 of each
 * kind in each language, before the code that they measure.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createEngine, optionsFromEnvironment } from 'parapet/engine';
import { z } from 'zod';
import type { Table } from '../accuracy/report/table.js';
import { renderText } from '../accuracy/report/text-report.js';
import { readFlags, runCommand } from '../command.js';
import { dataFile } from '../data-file.js';

const HELP = `Usage: node benchmarks/dist/robustness/languages.js

Of sentences in six languages, plain and in disguises that take all of a text: how many harmful ones pass, how many harmless
ones fail.
`;

const sentence = z.strictObject({ text: z.string(), toxic: z.literal([0, 1]), lang: z.string() });

const LEET = lettersOf('aeiostозчбаAEIOSTОЗЧБА', '4310570346443105703464');
const LOOK_ALIKES = lettersOf('aceiopsxyAEOасеорхуАЕО', 'асеіорѕхуАЕОaceopxyAEO');
const LETTER = /\p{L}/gu;
const LONG_WORD = /\p{L}{4,}/gu;
const FIRST_INNER_VOWEL = /(?<=^.\p{L}*?)[aeiouyáéíóúàèùâêîôûäöüąęıаеёиоуыэюя]/iu;

const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  leet: (text) => replaced(text, LEET),
  'spaces, wider between words': (text) => Array.from(text).join(' '),
  'spaces alone': (text) => text.replace(/\s/gu, '').split('').join(' '),
  dots: (text) => Array.from(text).join('.'),
  'dashes within words': (text) => text.replace(/(?<=\p{L})(?=\p{L})/gu, '-'),
  'masked vowels': (text) => text.replace(LONG_WORD, (word) => word.replace(FIRST_INNER_VOWEL, '*')),
  'look-alikes': (text) => replaced(text, LOOK_ALIKES),
};

await runCommand(HELP, run);

async function run(argv: readonly string[]): Promise<void> {
  readFlags(argv, {});
  const sentences = readFileSync(dataFile('robustness/sentences.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => sentence.parse(JSON.parse(line)));
  const languages = [...new Set(sentences.map(({ lang }) => lang))];
  const engine = await createEngine(optionsFromEnvironment());
  try {
    const rows = { passed: [] as string[][], failed: [] as string[][] };
    for (const [disguise, dress] of Object.entries(DISGUISES)) {
      const judgements = await engine.judgeAll(sentences.map(({ text }) => dress(text)));
      const countOf = (toxic: number, passes: boolean, lang: string): string =>
        String(
          sentences.filter((one, at) => one.toxic === toxic && one.lang === lang && judgements[at]?.passed === passes)
            .length,
        );
      rows.passed.push([disguise, ...languages.map((lang) => countOf(1, true, lang))]);
      rows.failed.push([disguise, ...languages.map((lang) => countOf(0, false, lang))]);
    }
    const table = (title: string, counts: string[][]): Table => ({
      title: `${title} of 22 in each language`,
      headings: ['', ...languages],
      rows: counts,
    });
    const tables = [
      table('Harmful sentences that pass', rows.passed),
      table('Harmless sentences that fail', rows.failed),
    ];
    process.stdout.write(renderText(tables, []));
  } finally {
    await engine.close();
  }
}

function lettersOf(letters: string, signs: string): ReadonlyMap<string, string> {
  const drawn = Array.from(signs);
  return new Map(Array.from(letters, (letter, at) => [letter, drawn[at] ?? letter]));
}

function replaced(text: string, table: ReadonlyMap<string, string>): string {
  return text.replace(LETTER, (letter) => table.get(letter) ?? letter);
}
