/** From what was measured in each round to the medians that are shown. */
import type { Measurement } from './measurement.js';
import { mean, median, percentile } from './percentiles.js';

export interface RoundFigures {
  readonly perSecond: number | null;
  readonly offeredPerSecond: number | null;
  readonly meanMs: number | null;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  readonly cpuCores: number | null;
  readonly memoryMegabytes: number | null;
  readonly generatorCores: number | null;
  /** Processor time of one answer, and its parts by kind of thread. */
  readonly cpuMs: number | null;
  readonly httpThreadMs: number | null;
  readonly workersMs: number | null;
  readonly helpersMs: number | null;
  /** Of the generator. */
  readonly askingMs: number | null;
  readonly totalMs: number | null;
  readonly queueMs: number | null;
  readonly tokenizeMs: number | null;
  readonly inferMs: number | null;
  readonly restMs: number | null;
}
export type FigureName = keyof RoundFigures;

export interface LoadFigures {
  readonly subject: string;
  readonly load: string;
  readonly rounds: readonly RoundFigures[];
  /** Of each figure on its own. */
  readonly median: RoundFigures;
  /** Requests of all rounds that did not end with 200, by how they ended. */
  readonly errors: Readonly<Record<string, number>>;
}

/** @returns one entry for each subject and load, in the order in which they first came */
export function summarise(measurements: readonly Measurement[]): LoadFigures[] {
  const groups = new Map<string, [Measurement, ...Measurement[]]>();
  for (const measurement of measurements) {
    const key = `${measurement.subject}\n${measurement.load}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [measurement]);
    else group.push(measurement);
  }
  return [...groups.values()].map(summaryOf);
}

function summaryOf(group: readonly [Measurement, ...Measurement[]]): LoadFigures {
  const [{ subject, load }] = group;
  const rounds = group.map(roundFigures);
  const middle = (name: FigureName): number | null => median(rounds.map((round) => round[name]));
  return {
    subject,
    load,
    rounds,
    median: {
      perSecond: middle('perSecond'),
      offeredPerSecond: middle('offeredPerSecond'),
      meanMs: middle('meanMs'),
      p50Ms: middle('p50Ms'),
      p90Ms: middle('p90Ms'),
      p99Ms: middle('p99Ms'),
      p999Ms: middle('p999Ms'),
      cpuCores: middle('cpuCores'),
      memoryMegabytes: middle('memoryMegabytes'),
      generatorCores: middle('generatorCores'),
      cpuMs: middle('cpuMs'),
      httpThreadMs: middle('httpThreadMs'),
      workersMs: middle('workersMs'),
      helpersMs: middle('helpersMs'),
      askingMs: middle('askingMs'),
      totalMs: middle('totalMs'),
      queueMs: middle('queueMs'),
      tokenizeMs: middle('tokenizeMs'),
      inferMs: middle('inferMs'),
      restMs: middle('restMs'),
    },
    errors: errorsOf(group),
  };
}

function roundFigures(measurement: Measurement): RoundFigures {
  const { latenciesMs, perSecond, isAlone } = measurement;
  // Sums of a whole server say nothing of one load among several.
  const stages = isAlone ? measurement.stages : null;
  const ofOneAnswer = (cores: number | null | undefined): number | null =>
    isAlone && perSecond > 0 && typeof cores === 'number' ? (1000 * cores) / perSecond : null;
  return {
    perSecond,
    offeredPerSecond: measurement.offeredPerSecond,
    meanMs: mean(latenciesMs),
    p50Ms: percentile(latenciesMs, 0.5),
    p90Ms: percentile(latenciesMs, 0.9),
    p99Ms: percentile(latenciesMs, 0.99),
    p999Ms: percentile(latenciesMs, 0.999),
    cpuCores: measurement.cpuCores,
    memoryMegabytes: measurement.memoryMegabytes,
    generatorCores: measurement.generatorCores,
    cpuMs: ofOneAnswer(measurement.cpuCores),
    httpThreadMs: ofOneAnswer(measurement.threads?.http),
    workersMs: ofOneAnswer(measurement.threads?.workers),
    helpersMs: ofOneAnswer(measurement.threads?.helpers),
    askingMs: ofOneAnswer(measurement.generatorCores),
    totalMs: stages?.totalMs ?? null,
    queueMs: stages?.queueMs ?? null,
    tokenizeMs: stages?.tokenizeMs ?? null,
    inferMs: stages?.inferMs ?? null,
    restMs: stages?.restMs ?? null,
  };
}

function errorsOf(group: readonly Measurement[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const [answer, count] of group.flatMap(({ answers }) => Object.entries(answers))) {
    if (answer !== '200') errors[answer] = (errors[answer] ?? 0) + count;
  }
  return errors;
}
