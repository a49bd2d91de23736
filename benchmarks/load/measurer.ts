/** Puts a load on a server and reads what the server used meanwhile. Keeps all that was measured. */
import type { Measurement } from './figures/measurement.js';
import type { Generator } from './generator/generator-process.js';
import type { StreamPlan, StreamResult } from './generator/load-plan.js';
import { readUsage, type Usage } from './targets/process-usage.js';
import { readStageCounters, stageTimesBetween, type StageCounters } from './targets/stage-counters.js';
import type { Target } from './targets/target.js';
import { readThreads, type ThreadUsage } from './targets/thread-usage.js';
import { FIRST_TURN } from './texts/text-sequence.js';

export interface Times {
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface NamedStream {
  readonly load: string;
  readonly stream: StreamPlan;
}

export interface Measurer {
  /** Streams run side by side. @returns answers a second of the first */
  measure(target: Target, streams: readonly NamedStream[], times?: Partial<Times>): Promise<number>;
  /** What was measured without the generator. */
  add(measurement: Measurement): void;
  readonly measurements: readonly Measurement[];
}

export interface MeasurerDeps {
  readonly generator: Generator;
  /** Texts of the pool. */
  readonly poolSize: number;
  readonly times: Times;
  readonly onMeasured: (measurement: Measurement) => void;
}

interface Counters {
  readonly atMs: number;
  readonly usage: Usage | null;
  readonly threads: ThreadUsage | null;
  readonly stages: StageCounters | null;
}

export function createMeasurer({ generator, poolSize, times, onMeasured }: MeasurerDeps): Measurer {
  const measurements: Measurement[] = [];
  let turn = FIRST_TURN;

  function add(measurement: Measurement): void {
    measurements.push(measurement);
    onMeasured(measurement);
  }

  return {
    measurements,
    add,
    async measure(target, streams, otherTimes = {}) {
      const plan = {
        ...times,
        ...otherTimes,
        endpoint: target.endpoint,
        streams: streams.map(({ stream }) => stream),
        firstText: turn * poolSize,
      };
      const readings: Promise<Counters>[] = [];
      const result = await generator.run(plan, () => readings.push(readCounters(target)));
      // Every load begins with the same texts, of another turn, so that no server sees a unique text twice.
      turn = Math.ceil(result.nextText / poolSize);
      const [before, after] = await Promise.all(readings);
      const used = before === undefined || after === undefined ? NOTHING_KNOWN : usedBetween(before, after);
      const isAlone = streams.length === 1;
      streams.forEach(({ load, stream }, index) => {
        const measured = result.streams[index];
        if (measured === undefined) throw new Error('the generator answered fewer streams than it was given');
        add({
          subject: target.name,
          load,
          ...figuresOf(measured),
          offeredPerSecond: stream.pace.kind === 'open' ? stream.pace.perSecond : null,
          ...used,
          generatorCores: result.generatorCores,
          isAlone,
        });
      });
      return result.streams[0]?.succeededPerSecond ?? 0;
    },
  };
}

const NOTHING_KNOWN = { cpuCores: null, threads: null, memoryMegabytes: null, stages: null };

async function readCounters({ processes, isNode, metricsUrl }: Target): Promise<Counters> {
  const atMs = performance.now();
  const [first] = processes;
  const [usages, threads, stages] = await Promise.all([
    Promise.all(processes.map(({ pid }) => readUsage(pid))),
    isNode && first !== undefined ? readThreads(first.pid) : null,
    metricsUrl === undefined ? null : readStageCounters(metricsUrl),
  ]);
  return { atMs, usage: sumOf(usages), threads, stages };
}

function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  let [cpuSeconds, memoryMegabytes] = [0, 0];
  for (const usage of usages) {
    if (usage === null) return null;
    cpuSeconds += usage.cpuSeconds;
    memoryMegabytes += usage.memoryMegabytes;
  }
  return { cpuSeconds, memoryMegabytes };
}

type Used = Pick<Measurement, keyof typeof NOTHING_KNOWN>;

function usedBetween(before: Counters, after: Counters): Used {
  const seconds = (after.atMs - before.atMs) / 1000;
  const cores = (from: number, to: number): number => (to - from) / seconds;
  return {
    cpuCores:
      before.usage === null || after.usage === null ? null : cores(before.usage.cpuSeconds, after.usage.cpuSeconds),
    threads:
      before.threads === null || after.threads === null
        ? null
        : {
            http: cores(before.threads.http, after.threads.http),
            workers: cores(before.threads.workers, after.threads.workers),
            helpers: cores(before.threads.helpers, after.threads.helpers),
          },
    memoryMegabytes: after.usage?.memoryMegabytes ?? null,
    stages: before.stages === null || after.stages === null ? null : stageTimesBetween(before.stages, after.stages),
  };
}

function figuresOf(result: StreamResult): Pick<Measurement, 'perSecond' | 'latenciesMs' | 'answers'> {
  const answers = Object.fromEntries(Object.entries(result.answers).map(([answer, count]) => [answer, count ?? 0]));
  return { perSecond: result.succeededPerSecond, latenciesMs: result.latenciesMs, answers };
}
