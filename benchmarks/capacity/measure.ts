/** What the prediction rests on, measured here: what a text costs, how many the service judges, and how long callers wait at three loads. */
import { loadavg } from 'node:os';
import process from 'node:process';
import { openNetwork, readManifest, type EncodedText } from 'parapet/engine';
import { z } from 'zod';
import { describeMachine } from '../load/figures/machine.js';
import type { Measurement } from '../load/figures/measurement.js';
import { mean, median, percentile } from '../load/figures/percentiles.js';
import { startGenerator } from '../load/generator/generator-process.js';
import type { StreamPlan } from '../load/generator/load-plan.js';
import { paced, repeated, saturating } from '../load/loads.js';
import { createMeasurer } from '../load/measurer.js';
import { judgeText } from '../load/peers/judge-text.js';
import { startService } from '../load/targets/node-servers.js';
import type { Servers } from '../load/targets/server-process.js';
import { createModelInputs } from '../load/texts/model-inputs.js';
import { loadTextPool } from '../load/texts/text-pool.js';

export const measuredSchema = z.object({
  /** With the load average before anything was started. */
  machine: z.string(),
  model: z.string(),
  texts: z.string(),
  workers: z.int().positive(),
  /** Medians of the rounds: texts a second at most, and processor time of the HTTP thread for each. */
  unique: z.object({ perSecond: z.number(), httpMs: z.number() }),
  cached: z.object({ perSecond: z.number().nullable(), httpMs: z.number() }),
  /** Processor time of a worker for a text alone, a sample. */
  workerMs: z.array(z.number()).min(1),
  /** At shares of the most texts a second. */
  waits: z.array(z.object({ share: z.number(), p50: z.number().nullable(), p99: z.number().nullable() })),
});
export type Measured = z.output<typeof measuredSchema>;

export interface MeasureOptions {
  readonly workers: number;
  readonly rounds: number;
  readonly measureMs: number;
  readonly modelFolder: string;
  readonly servers: Servers;
  readonly onProgress: (line: string) => void;
}

const SHARES = [0.3, 0.6, 0.85];
const SAMPLE = 500;
const TURNS = 5;

/** @throws OperatorError where the texts or the model cannot be read, or the service does not start */
export async function measure(options: MeasureOptions): Promise<Measured> {
  const { workers, rounds, measureMs, modelFolder, servers, onProgress } = options;
  const [loadAverage = 0] = loadavg();
  const { id, version, window } = await readManifest(modelFolder);
  const pool = await loadTextPool(undefined);
  const generator = startGenerator(pool.texts);
  try {
    const service = await startService(servers, { workers, modelFolder });
    const times = { warmUpMs: 1000, measureMs };
    // One for all, so that no text comes twice.
    const measurer = createMeasurer({
      generator,
      poolSize: pool.texts.length,
      times,
      onMeasured: ({ load, perSecond }) => onProgress(`${load}: ${perSecond.toFixed(1)}/s`),
    });
    async function measured(load: string, stream: StreamPlan): Promise<Measurement> {
      await measurer.measure(service, [{ load, stream }]);
      const measurement = measurer.measurements.at(-1);
      if (measurement === undefined) throw new Error('nothing was measured');
      return measurement;
    }
    const inputs = await createModelInputs(pool.texts, modelFolder, window.maxTokens);
    const networkMs = await networkTimes(inputs.short.slice(0, SAMPLE), modelFolder);
    const alone = await measured('one at a time', { ...saturating(), pace: { kind: 'closed', connections: 1 } });
    const unique: Measurement[] = [];
    const cached: Measurement[] = [];
    const waits = SHARES.map((share) => ({ share, found: [] as Measurement[] }));
    for (let round = 1; round <= rounds; round += 1) {
      const all = await measured('unique', saturating());
      unique.push(all);
      for (const { share, found } of waits) {
        const perSecond = share * all.perSecond;
        const pace = { kind: 'open', connections: 128, perSecond, arrivals: 'poisson', seed: round } as const;
        found.push(await measured(`${100 * share} %`, paced(pace)));
      }
      cached.push(await measured('cached', saturating(repeated(1))));
    }
    const { processor, cores, system, node } = describeMachine();
    // A worker does more than the network, for all texts about as much more.
    const scale = cpuMs(alone, 'workers') / (mean(Float64Array.from(networkMs)) ?? NaN);
    return measuredSchema.parse({
      machine: `${processor}, ${cores} cores, ${system}, Node ${node}, load average ${loadAverage.toFixed(1)}`,
      model: `${id}@${version}`,
      texts: pool.description,
      workers,
      unique: middleOf(unique),
      cached: middleOf(cached),
      workerMs: networkMs.map((ms) => ms * scale),
      waits: waits.map(({ share, found }) => ({ share, p50: waitOf(found, 0.5), p99: waitOf(found, 0.99) })),
    });
  } finally {
    generator.stop();
  }
}

/** @returns of each text the processor time of the network, which other programs lengthen less than the time that passes */
async function networkTimes(texts: readonly EncodedText[], modelFolder: string): Promise<number[]> {
  const network = await openNetwork(modelFolder);
  const timesMs = texts.map((): number[] => []);
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [index, text] of texts.entries()) {
      const before = process.cpuUsage();
      await judgeText(text, network);
      const { user, system } = process.cpuUsage(before);
      timesMs[index]?.push((user + system) / 1000);
    }
  }
  return timesMs.map((times) => median(times) ?? NaN);
}

const cpuMs = ({ threads, perSecond }: Measurement, thread: 'http' | 'workers'): number =>
  (1000 * (threads?.[thread] ?? NaN)) / perSecond;

const waitOf = (of: readonly Measurement[], share: number): number | null =>
  median(of.map(({ latenciesMs }) => percentile(latenciesMs, share)));

const middleOf = (of: readonly Measurement[]) => ({
  perSecond: median(of.map(({ perSecond }) => perSecond)),
  httpMs: median(of.map((each) => cpuMs(each, 'http'))),
});
