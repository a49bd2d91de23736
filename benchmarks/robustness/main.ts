/** The process behind `npm run bench:robustness`: how far verdicts change when texts are disguised, or long. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { isPositive, OperatorError, readRows } from 'parapet/engine';
import type { AccuracyOptions } from '../accuracy/arguments.js';
import { createInProcessJudge } from '../accuracy/judges/in-process-judge.js';
import { refusalOf, type Judge } from '../accuracy/judges/judge.js';
import { openOutputs } from '../accuracy/output-file.js';
import type { Table } from '../accuracy/report/table.js';
import { renderText } from '../accuracy/report/text-report.js';
import { runCommand } from '../command.js';
import { dataFile } from '../data-file.js';
import { parseProbes, type Probe } from '../probes/probe.js';
import { parseRobustnessArguments, type RobustnessOptions } from './arguments.js';
import { measureDisguises, type DisguiseFigures } from './disguised-texts.js';
import { listsTogether, measureHiddenKinds, type FoundByLength, type HiddenKindFigures } from './hidden-kinds.js';
import type { HarmfulText, LabelledTexts, ReadTexts } from './labelled-texts.js';
import { measureLength, type LengthFigures } from './long-texts.js';
import { among, notAmong, readHashes } from './read-comments.js';
import { disguiseTable, hiddenTable, lengthTable } from './tables.js';

const HARM_PROBES = dataFile('probes/harm_categories.jsonl');
const SPAM_PROBES = dataFile('probes/comment_spam.jsonl');
// Eight lists, each by another author. Nothing is ever chosen by what is found of those that are held out.
const SEVERE_SENTENCES = dataFile('probes/severe_sentences.jsonl');
// Of the comments that the Wikipedia test calls harmless, those that most of five language models call abusive: annotators slip.
const ABUSIVE_COMMENTS = dataFile('robustness/abusive-comments.txt');
// Of 1,800 short ones that it calls toxic, drawn at random, those that most of three language models call severe.
const SEVERE_COMMENTS = dataFile('robustness/severe-comments.txt');

/** Of three. */
const MOST_OF_THE_READERS = 2;

const HELP = `Usage: npm run --silent bench:robustness -- --input FILE --text-column C --label-column C
       [--only PARTS] [--share S] [--seed N] [--json FILE]

Measures three parts:
  disguises     up to 500 toxic and 500 harmless texts of the file, plain and in eight disguises
  length        harmless texts joined to 9,900 characters, alone and with one severe text hidden in them; of Wikipedia's
                test comments those that readers call abusive, whatever their label, are counted apart, and those that
                they call severe are hidden as well, whatever they score
  kinds         our own probes of several kinds of harm, and our own severe sentences, hidden in 600 to 9,900 harmless
                characters: those that are found alone, those that score 7 to 10 alone, and all that readers call severe
--only measures some of them, as in --only length,kinds: all three take half an hour. --share 0.2 draws and hides a fifth
of the texts, for a first look or a slow machine. --seed draws other texts (1 where it is not given). The flags for the
file are those of parapet accuracy. The model runs in this process and the settings of the service apply.
`;

await runCommand(HELP, (argv) => run(parseRobustnessArguments(argv)));

async function run(options: RobustnessOptions): Promise<void> {
  const labelled = await readTexts(options);
  const texts = {
    ...labelled,
    readHarmless: notAmong(labelled.harmless, readHashes(ABUSIVE_COMMENTS)),
    readSevere: among(labelled.toxic, readHashes(SEVERE_COMMENTS)),
  };
  const { json, source } = options;
  // Before anything is judged: who names a file that cannot be written hears of it now, not when all is measured.
  const output = (await openOutputs({ json }, [source.file])).get('json');
  try {
    const judge = await createInProcessJudge();
    try {
      const measured = await measure(judge, texts, options);
      process.stdout.write(renderText(tablesOf(measured), []));
      await output?.write(`${JSON.stringify(figuresOf(measured, options), null, 2)}\n`);
      await output?.commit();
    } finally {
      await judge.close();
    }
  } finally {
    await output?.discard();
  }
}

/** Figures of the parts that were measured. */
interface Measured {
  disguises?: readonly DisguiseFigures[];
  length?: LengthFigures;
  hidden?: readonly HiddenKindFigures[];
}

async function measure(judge: Judge, texts: ReadTexts, { parts, seed, share }: RobustnessOptions): Promise<Measured> {
  const measured: Measured = {};
  if (parts.has('disguises')) measured.disguises = await measureDisguises(judge, texts, seed, share);
  if (parts.has('length')) measured.length = await measureLength(judge, texts, seed, share);
  if (parts.has('kinds')) {
    const hidden = await measureHiddenKinds(judge, needlesByKind(), texts.readHarmless, seed, share);
    measured.hidden = [...hidden, ...listsTogether(hidden)];
  }
  return measured;
}

function tablesOf({ disguises, length, hidden }: Measured): Table[] {
  return [
    ...(disguises === undefined ? [] : [disguiseTable(disguises)]),
    ...(length === undefined ? [] : [lengthTable(length)]),
    ...(hidden === undefined ? [] : [hiddenTable(hidden)]),
  ];
}

/** What is written for machines: a part that was not measured is left out. */
function figuresOf({ disguises, length, hidden }: Measured, { seed, share }: RobustnessOptions): object {
  const kinds = hidden?.map(({ kind, toxicAlone, severe, ...foundAlone }) => ({
    kind,
    ...plain(foundAlone),
    toxicAlone: plain(toxicAlone),
    severe: plain(severe),
  }));
  return { seed, share, disguises, length, kinds };
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

/** Texts of harm from our own probes; spam is one kind. */
function needlesByKind(): Map<string, HarmfulText[]> {
  const kinds = new Map<string, HarmfulText[]>();
  const add = (kind: string, { text, severe = 0 }: Probe): void => {
    kinds.set(kind, [...(kinds.get(kind) ?? []), { text, isSevere: severe >= MOST_OF_THE_READERS }]);
  };
  for (const probe of readProbes(HARM_PROBES)) if (probe.toxic === true) add(probe.kind ?? '', probe);
  for (const probe of readProbes(SPAM_PROBES)) if (probe.spam === true) add('spam', probe);
  for (const probe of readProbes(SEVERE_SENTENCES)) add(`severe, list ${probe.list ?? ''}: ${probe.kind ?? ''}`, probe);
  return kinds;
}

function readProbes(file: URL): Probe[] {
  return parseProbes(file.pathname, readFileSync(file, 'utf8'));
}

function plain({ texts, found }: FoundByLength): { texts: number; found: Record<string, number> } {
  return { texts, found: Object.fromEntries(found) };
}
