/** One run from file to figures: checks every row, judges them in order, measures, and puts the results in their files. */
import { resolve } from 'node:path';
import { OperatorError } from '../../src/errors.js';
import type { AccuracyOptions, Service } from './arguments.js';
import { readRows, type DatasetSource, type Row } from './dataset/dataset.js';
import { createFlagCounter } from './flag-rates.js';
import { refusalOf, type Judge, type Judgement, type Refusal } from './judges/judge.js';
import { createMeasure, type Measure } from './measure.js';
import { mapInOrder } from './ordered-map.js';
import { openOutput, type OutputFile } from './output-file.js';
import { createProgress, type ProgressStream } from './progress.js';
import { renderHtml } from './report/html-report.js';
import type { Results } from './results.js';

export interface BenchmarkDeps {
  readonly openJudge: (service: Service | undefined) => Promise<Judge>;
  readonly stderr: ProgressStream;
  /** Ends the run early; no output file appears then. */
  readonly interruption?: AbortSignal;
}

/** @throws OperatorError or ServiceError when the run cannot begin or go on; then no output file appears */
export async function runBenchmark(options: AccuracyOptions, deps: BenchmarkDeps): Promise<Results> {
  const measure =
    options.source.columns.label === undefined ? undefined : createMeasure(options.labelKind, options.positive);
  // Read once before judging: a bad line near the end must not cost hours, and the time left needs the number of rows.
  const total = await surveyRows(options.source, measure);
  const outputs = await openOutputs(options);
  try {
    const judge = await deps.openJudge(options.service);
    try {
      const results = await judgeAll({ options, deps, measure, total, judge, predictions: outputs.get('predictions') });
      const mistakes = measure?.mistakes() ?? [];
      await outputs.get('json')?.write(`${JSON.stringify(results, null, 2)}\n`);
      await outputs.get('report')?.write(renderHtml(results, mistakes));
      for (const output of outputs.values()) await output.commit();
      return results;
    } finally {
      await judge.close();
    }
  } finally {
    for (const output of outputs.values()) await output.discard();
  }
}

async function surveyRows(source: DatasetSource, measure: Measure | undefined): Promise<number> {
  let total = 0;
  for await (const row of readRows(source)) {
    measure?.check(row);
    total += 1;
  }
  if (total === 0) throw new OperatorError(`${source.file}: there are no rows`);
  return total;
}

const OUTPUTS = ['predictions', 'report', 'json'] as const;
type Outputs = ReadonlyMap<(typeof OUTPUTS)[number], OutputFile>;

async function openOutputs(options: AccuracyOptions): Promise<Outputs> {
  const taken = new Set([resolve(options.source.file)]);
  const outputs = new Map<(typeof OUTPUTS)[number], OutputFile>();
  try {
    for (const name of OUTPUTS) {
      const path = options[name];
      if (path === undefined) continue;
      if (taken.has(resolve(path))) throw new OperatorError(`--${name} ${path}: another flag names this file too`);
      taken.add(resolve(path));
      outputs.set(name, await openOutput(`--${name}`, path));
    }
    return outputs;
  } catch (error) {
    for (const output of outputs.values()) await output.discard();
    throw error;
  }
}

interface Run {
  readonly options: AccuracyOptions;
  readonly deps: BenchmarkDeps;
  readonly measure: Measure | undefined;
  readonly total: number;
  readonly judge: Judge;
  readonly predictions: OutputFile | undefined;
}

async function judgeAll({ options, deps, measure, total, judge, predictions }: Run): Promise<Results> {
  const flags = createFlagCounter(measure?.groups ?? []);
  const skipped = new Map<string, number>();
  const progress = createProgress({ stream: deps.stderr, total });
  const begunMs = performance.now();
  let model: string | null = null;
  let judged = 0;
  const judgeRow = async (row: Row): Promise<{ row: Row; outcome: Judgement | Refusal }> => {
    deps.interruption?.throwIfAborted();
    return { row, outcome: refusalOf(row.text) ?? (await judge.judge(row.text)) };
  };
  try {
    for await (const { row, outcome } of mapInOrder(readRows(options.source), judgeRow, judge)) {
      progress.rowDone();
      if ('error' in outcome) {
        skipped.set(outcome.error, (skipped.get(outcome.error) ?? 0) + 1);
        await predictions?.write(`${JSON.stringify({ row: row.row, error: outcome.error })}\n`);
        continue;
      }
      judged += 1;
      model ??= outcome.model;
      if (outcome.model !== model)
        throw new OperatorError(`The model changed during the run: ${model}, ${outcome.model}.`);
      flags.add(outcome, measure?.groupOf(row));
      measure?.add(row, outcome);
      await predictions?.write(`${JSON.stringify(predictionOf(row, outcome))}\n`);
    }
  } catch (error) {
    if (deps.interruption?.aborted !== true) throw error;
    throw new OperatorError('Interrupted: no file was written.', { cause: error });
  } finally {
    progress.end();
  }
  const seconds = (performance.now() - begunMs) / 1000;
  return {
    finishedAt: new Date().toISOString(),
    file: options.source.file,
    textColumn: options.source.columns.text,
    labelColumn: options.source.columns.label ?? null,
    labelKind: measure === undefined ? null : options.labelKind,
    positive: options.positive ?? null,
    judge: judge.description,
    model,
    rows: total,
    judged,
    skipped: Object.fromEntries(skipped),
    seconds,
    rowsPerSecond: total / seconds,
    figures: measure?.figures() ?? null,
    flagRates: flags.rates(),
    notes: measure?.notes() ?? [],
  };
}

/** The members are promised, in this order; see README.md. */
function predictionOf({ row }: Row, { score, passed, sentiment, categories, labels }: Judgement): object {
  return { row, score, passed, sentiment, categories, labels };
}
