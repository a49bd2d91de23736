/**
 * The process behind `npm run bench:probes`: judges the hand-written texts in this folder, which no training sees, and says kind
 * by kind how many verdicts are right, or how many texts pass under each preset of policies.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createEngine, optionsFromEnvironment, PRESET_NAMES, resolvePolicy } from 'parapet/engine';
import { createInProcessJudge, onWorkerProblem } from '../accuracy/judges/in-process-judge.js';
import { openOutputs } from '../accuracy/output-file.js';
import { renderText } from '../accuracy/report/text-report.js';
import { readFlags, runCommand, wrongFlag } from '../command.js';
import { dataFile } from '../data-file.js';
import { figuresOf, kindTable, summaryTable, type JudgedProbe } from './figures.js';
import {
  passingMarkdown,
  passingOf,
  passingSummary,
  passingTable,
  perPreset,
  type ProbeUnderPresets,
} from './passing.js';
import { parseProbes, type Probe } from './probe.js';

const FOLDER = dataFile('probes/');

const HELP = `Usage: npm run --silent bench:probes -- [--policies [--markdown]] [--json FILE]

Judges the texts of benchmarks/probes and says, kind by kind, how many verdicts are right. The model runs in this process
and the settings of the service apply.

  --policies            say instead which share of each kind passes under each preset of policies, harmful and harmless
                        texts apart
  --markdown            with --policies: the table of docs/policies.md, to be put in its place
  --json FILE           write all figures as JSON

Exit status: 0, or 2 with the reason on standard error.
`;

await runCommand(HELP, run);

interface Report {
  readonly text: string;
  readonly figures: ReadonlyMap<string, object>;
}

async function run(argv: readonly string[]): Promise<void> {
  const { json, policies, markdown } = readFlags(argv, {
    json: { type: 'string' },
    policies: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  });
  if (markdown && !policies) throw wrongFlag('--markdown needs --policies');
  const output = (await openOutputs({ json }, [])).get('json');
  try {
    const { text, figures } = policies ? await reportOfPresets(markdown) : await reportOfVerdicts();
    process.stdout.write(text);
    await output?.write(`${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
    await output?.commit();
  } finally {
    await output?.discard();
  }
}

async function reportOfVerdicts(): Promise<Report> {
  const judge = await createInProcessJudge();
  try {
    const figures = await measure(async (probe): Promise<JudgedProbe> => {
      const judgement = await judge.judge(probe.text);
      if ('error' in judgement) throw new Error(`a probe cannot be judged: ${judgement.error}`);
      return { probe, judgement };
    }, figuresOf);
    return { text: renderText([...[...figures].map(kindTable), summaryTable(figures)], []), figures };
  } finally {
    await judge.close();
  }
}

/** Each text is read once: the presets differ in nothing but what they make of its probabilities. */
async function reportOfPresets(markdown: boolean): Promise<Report> {
  const options = optionsFromEnvironment();
  const presets = perPreset((name) => resolvePolicy(options.settings, name, {}));
  const engine = await createEngine({ ...options, onWorkerProblem });
  try {
    const figures = await measure(async (probe): Promise<ProbeUnderPresets> => {
      const judging = PRESET_NAMES.map((name) => engine.judge(probe.text, { policy: presets[name] }));
      const judgements = await Promise.all(judging);
      return { probe, passed: perPreset((name) => judgements[PRESET_NAMES.indexOf(name)]?.passed === true) };
    }, passingOf);
    const tables = [...[...figures].map(passingTable), passingSummary(figures)];
    const measured = `Measured with ${engine.model}.`;
    const text = markdown ? `${passingMarkdown(figures, presets)}\n${measured}\n` : renderText(tables, [measured]);
    return { text, figures };
  } finally {
    await engine.close();
  }
}

async function measure<Judged extends { readonly probe: Probe }, Figures>(
  judge: (probe: Probe) => Promise<Judged>,
  figuresFor: (judged: readonly Judged[]) => Figures,
): Promise<Map<string, Figures>> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));
  const figures = new Map<string, Figures>();
  for (const file of files.sort()) {
    const judged: Judged[] = [];
    for (const probe of parseProbes(file, readFileSync(new URL(file, FOLDER), 'utf8'))) judged.push(await judge(probe));
    for (const split of new Set(judged.map(({ probe }) => probe.split))) {
      const name = file.replace('.jsonl', split === undefined ? '' : ` (${split.replace('_', ' ')})`);
      figures.set(name, figuresFor(judged.filter(({ probe }) => probe.split === split)));
    }
  }
  return figures;
}
