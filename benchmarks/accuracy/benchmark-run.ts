/** One run from file to figures: checks every row, has them judged, measures, and puts the results in their files. */
import { OperatorError } from 'parapet/engine';
import type { AccuracyOptions, Service } from './arguments.js';
import { compare, type EarlierRun } from './comparison/comparison.js';
import { readEarlierRun } from './comparison/earlier-run.js';
import { surveyRows, type Survey } from './survey.js';
import { createFlagCounter } from './evaluation/flag-rates.js';
import type { Exhibits } from './evaluation/evaluation.js';
import { createGroupRows, type GroupRows } from './evaluation/group-rows.js';
import { createMeasure, type Measure } from './evaluation/measure.js';
import { createPerspectiveFit, type PerspectiveFit } from './evaluation/perspective-fit.js';
import { describeTarget } from './fit-target.js';
import type { Judge } from './judges/judge.js';
import { judgeRows } from './judging.js';
import { affordableSamples } from './metrics/resampling.js';
import { openOutputs, type OutputFile } from './output-file.js';
import { measurePeers } from './peers/measure-peers.js';
import { createProgress, type Progress, type ProgressStream } from './progress.js';
import { renderHtml } from './report/html-report.js';
import { SCHEMA_VERSION, type Results } from './results.js';

export interface BenchmarkDeps {
  readonly openJudge: (service: Service | undefined) => Promise<Judge>;
  readonly openPeer: (name: string, python: string) => Promise<Judge>;
  readonly stderr: ProgressStream;
  /** Ends the run early; no output file appears then. */
  readonly interruption?: AbortSignal;
}

/** @throws OperatorError or ServiceError when the run cannot begin or go on; then no output file appears */
export async function runBenchmark(options: AccuracyOptions, deps: BenchmarkDeps): Promise<Results> {
  const { html, json, predictions, source, labelColumns } = options;
  const kinds = labelColumns.map(({ kind }) => kind);
  const earlier = options.compare === undefined ? undefined : await readEarlierRun(options.compare, kinds);
  const measuring = createMeasuring(options);
  const checks = [...measuring.measures, ...measuring.perspectiveFits];
  const survey = await surveyRows(source, (row) => checks.forEach((each) => each.check(row)));
  const reserved = [source.file, ...(earlier === undefined ? [] : [earlier.file])];
  const outputs = await openOutputs({ predictions, html, json }, reserved);
  const opened: Judge[] = [];
  try {
    for (const name of options.peers) opened.push(await deps.openPeer(name, options.python));
    const peers = [...opened];
    const judge = await deps.openJudge(options.service);
    opened.push(judge);
    const run = { options, deps, survey, judge, peers, earlier, measuring, predictions: outputs.get('predictions') };
    const { results, exhibits } = await measureAll(run);
    await outputs.get('json')?.write(`${JSON.stringify(results, null, 2)}\n`);
    await outputs.get('html')?.write(renderHtml(results, exhibits));
    for (const output of outputs.values()) await output.commit();
    return results;
  } finally {
    for (const output of outputs.values()) await output.discard();
    for (const each of opened) await each.close();
  }
}

interface Measuring {
  /** One for each label column. */
  readonly measures: readonly Measure[];
  /** One for each column with scores of Perspective. */
  readonly perspectiveFits: readonly PerspectiveFit[];
  readonly groupRows: GroupRows | undefined;
}

function createMeasuring(options: AccuracyOptions): Measuring {
  const { labelColumns, perspectiveColumns, positive, fitTarget: target, source } = options;
  const resampling = { samples: options.bootstrap, seed: options.seed };
  const groupRows = source.columns.group === undefined ? undefined : createGroupRows();
  const shared = { positive, target, groupRows, resampling };
  return {
    groupRows,
    measures: labelColumns.map((column, place) => createMeasure({ column, place, ...shared })),
    perspectiveFits: perspectiveColumns.map(({ label, name }, index) =>
      createPerspectiveFit({ label, column: name, place: labelColumns.length + index, resampling }),
    ),
  };
}

interface Run {
  readonly options: AccuracyOptions;
  readonly deps: BenchmarkDeps;
  readonly survey: Survey;
  readonly judge: Judge;
  readonly peers: readonly Judge[];
  readonly earlier: EarlierRun | undefined;
  readonly measuring: Measuring;
  readonly predictions: OutputFile | undefined;
}

interface Outcome {
  readonly results: Results;
  /** For each label column. */
  readonly exhibits: readonly Exhibits[];
}

async function measureAll(run: Run): Promise<Outcome> {
  const { options, deps, survey, judge, peers, earlier, measuring, predictions } = run;
  const { source, positive = null, fitTarget } = options;
  const { stderr, interruption } = deps;
  const newProgress = (): Progress => createProgress({ stream: stderr, total: survey.rows });
  const { measures, perspectiveFits, groupRows } = measuring;
  const fitsPassMaxScore = fitTarget !== undefined && measures.some(({ column }) => column.kind === 'toxicity');
  const flags = createFlagCounter(measures);
  let withoutSettings = 0;
  const { judged, skipped, model, seconds } = await judgeRows({
    source,
    judge,
    progress: newProgress(),
    interruption,
    predictions,
    onJudgement(row, judgement) {
      if (judgement.blocked === undefined) withoutSettings += 1;
      flags.add(judgement, row);
      groupRows?.add(row.groups);
      for (const each of [...measures, ...perspectiveFits]) each.add(row, judgement);
    },
  });
  if (judged === 0 && measures.length + perspectiveFits.length > 0)
    throw new OperatorError(nothingJudged(source.file, skipped));
  const findings = measures.map((measure) => ({ column: measure.column, ...measure.finish() }));
  const measured = findings.map(({ column, figures }, place) => ({
    labelKind: column.kind,
    labelColumn: column.name,
    rowsSha256: survey.sha256[place] ?? '',
    figures,
  }));
  const results: Results = {
    schemaVersion: SCHEMA_VERSION,
    finishedAt: new Date().toISOString(),
    file: source.file,
    textColumn: source.columns.text,
    groupColumn: source.columns.group ?? null,
    positive,
    judge: judge.description,
    model,
    rows: survey.rows,
    judged,
    skipped,
    seconds,
    rowsPerSecond: survey.rows / seconds,
    resampling: { samples: options.bootstrap ?? affordableSamples(judged), seed: options.seed },
    measured,
    perspective: perspectiveFits.map((each) => each.finish()),
    peers: await measurePeers(peers, {
      ...{ source, positive: options.positive, interruption, newProgress },
      place: options.labelColumns.findIndex(({ kind }) => kind !== 'sentiment'),
      resampling: { samples: options.bootstrap, seed: options.seed },
    }),
    fitTarget: fitTarget === undefined ? null : describeTarget(fitTarget),
    flagRates: flags.rates(),
    comparison: earlier === undefined ? null : compare({ measured, positive }, earlier),
    notes: [
      ...measures.flatMap((measure) => measure.notes()),
      ...(fitsPassMaxScore && withoutSettings > 0 ? [UNKNOWN_SETTINGS] : []),
    ],
  };
  return { results, exhibits: findings.map(({ exhibits }) => exhibits) };
}

/** Without a single judgement there are no figures, and an earlier run would seem to be matched. */
function nothingJudged(file: string, skipped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(skipped).map(([code, rows]) => `${code}: ${rows}`);
  return `${file}: no row could be judged (${reasons.join(', ')}). Is --text-column the column with the texts?`;
}

const UNKNOWN_SETTINGS =
  'BLOCK_CATEGORIES and UNREADABLE of a running service are not known here: PASS_MAX_SCORE is fitted as if they failed nothing.';
