/** Puts a load on a server and reads what the server used meanwhile. Keeps all that was measured. */
import type { Measurement } from './figures/measurement.js';
import type { Generator } from './generator/generator-process.js';
import type { StreamPlan, StreamResult } from './generator/load-plan.js';
import { readUsage, type Usage } from './targets/process-usage.js';
import { readStageCounters, stageTimesBetween, type StageCounters } from './targets/stage-counters.js';
import type { Target } from './targets/target.js';

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
  readonly times: Times;
  readonly onMeasured: (measurement: Measurement) => void;
}

interface Counters {
  readonly atMs: number;
  readonly usage: Usage | null;
  readonly stages: StageCounters | null;
}

export function createMeasurer({ generator, times, onMeasured }: MeasurerDeps): Measurer {
  const measurements: Measurement[] = [];
  // Over all loads, so that no server sees a unique text twice.
  let firstText = 0;

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
        firstText,
      };
      const readings: Promise<Counters>[] = [];
      const result = await generator.run(plan, () => readings.push(readCounters(target)));
      firstText = result.nextText;
      const [before, after] = await Promise.all(readings);
      const used = before === undefined || after === undefined ? NOTHING_KNOWN : usedBetween(before, after);
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
          // Sums of the whole server say nothing of one stream among several.
          stages: streams.length === 1 ? used.stages : null,
        });
      });
      return result.streams[0]?.succeededPerSecond ?? 0;
    },
  };
}

const NOTHING_KNOWN = { cpuCores: null, rssMegabytes: null, stages: null };

async function readCounters({ processes, metricsUrl }: Target): Promise<Counters> {
  const atMs = performance.now();
  const [usages, stages] = await Promise.all([
    Promise.all(processes.map(({ pid }) => readUsage(pid))),
    metricsUrl === undefined ? null : readStageCounters(metricsUrl),
  ]);
  return { atMs, usage: sumOf(usages), stages };
}

function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  let [cpuSeconds, rssMegabytes] = [0, 0];
  for (const usage of usages) {
    if (usage === null) return null;
    cpuSeconds += usage.cpuSeconds;
    rssMegabytes += usage.rssMegabytes;
  }
  return { cpuSeconds, rssMegabytes };
}

function usedBetween(before: Counters, after: Counters): Pick<Measurement, 'cpuCores' | 'rssMegabytes' | 'stages'> {
  const seconds = (after.atMs - before.atMs) / 1000;
  return {
    cpuCores:
      before.usage === null || after.usage === null
        ? null
        : (after.usage.cpuSeconds - before.usage.cpuSeconds) / seconds,
    rssMegabytes: after.usage?.rssMegabytes ?? null,
    stages: before.stages === null || after.stages === null ? null : stageTimesBetween(before.stages, after.stages),
  };
}

function figuresOf(result: StreamResult): Pick<Measurement, 'perSecond' | 'latenciesMs' | 'answers'> {
  const answers = Object.fromEntries(Object.entries(result.answers).map(([answer, count]) => [answer, count ?? 0]));
  return { perSecond: result.succeededPerSecond, latenciesMs: result.latenciesMs, answers };
}
