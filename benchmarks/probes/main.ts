/**
 * The process behind `npm run bench:probes`: judges the hand-written texts in this folder, which no training sees, and says kind
 * by kind how many verdicts are right.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { loadConfig } from '../../src/config.js';
import { createInProcessJudge } from '../accuracy/judges/in-process-judge.js';
import type { Judge } from '../accuracy/judges/judge.js';
import { openOutputs } from '../accuracy/output-file.js';
import { renderText } from '../accuracy/report/text-report.js';
import { readFlags, runCommand } from '../command.js';
import { figuresOf, kindTable, summaryTable, type JudgedProbe, type ProbeFigures } from './figures.js';
import { parseProbes, type Probe } from './probe.js';

// The command runs from dist/benchmarks/probes; the texts stay where they are written.
const FOLDER = new URL('../../../benchmarks/probes/', import.meta.url);

const HELP = `Usage: npm run --silent bench:probes -- [--json FILE]

Judges the texts of benchmarks/probes and says, kind by kind, how many verdicts are right. The model runs in this process
and the settings of the service apply.

  --json FILE           write all figures as JSON

Exit status: 0, or 2 with the reason on standard error.
`;

await runCommand(HELP, run);

async function run(argv: readonly string[]): Promise<void> {
  const { json } = readFlags(argv, { json: { type: 'string' } });
  const output = (await openOutputs({ json }, [])).get('json');
  try {
    const judge = await createInProcessJudge(loadConfig(), (problem) => process.stderr.write(`${problem}\n`));
    try {
      const figures = await measure(judge);
      process.stdout.write(renderText([...[...figures].map(kindTable), summaryTable(figures)], []));
      await output?.write(`${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
      await output?.commit();
    } finally {
      await judge.close();
    }
  } finally {
    await output?.discard();
  }
}

async function measure(judge: Judge): Promise<Map<string, ProbeFigures>> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));
  const figures = new Map<string, ProbeFigures>();
  for (const file of files.sort()) {
    const judged = await judgeAll(judge, parseProbes(file, readFileSync(new URL(file, FOLDER), 'utf8')));
    for (const split of new Set(judged.map(({ probe }) => probe.split))) {
      const name = file.replace('.jsonl', split === undefined ? '' : ` (${split.replace('_', ' ')})`);
      figures.set(name, figuresOf(judged.filter(({ probe }) => probe.split === split)));
    }
  }
  return figures;
}

async function judgeAll(by: Judge, probes: readonly Probe[]): Promise<JudgedProbe[]> {
  const judged: JudgedProbe[] = [];
  for (const probe of probes) {
    const judgement = await by.judge(probe.text);
    if ('error' in judgement) throw new Error(`a probe cannot be judged: ${judgement.error}`);
    judged.push({ probe, judgement });
  }
  return judged;
}
