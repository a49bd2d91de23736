/** The rounds: everything is measured once in each, every other round in reverse order, so that no subject always has the same neighbour. */
import { idealLatencies } from './figures/ideal-queue.js';
import type { Arrivals } from './generator/arrivals.js';
import type { OpenPace } from './generator/load-plan.js';
import {
  atHalf,
  fewOf,
  LOADS,
  oneLongTextAtATime,
  paced,
  repeated,
  saturating,
  saturatingWithLongTexts,
  SUBJECTS,
} from './loads.js';
import type { Measurer, Times } from './measurer.js';
import type { RawLoop, RawLoopResult } from './peers/raw-loop.js';
import type { Target } from './targets/target.js';
import type { ModelInputs } from './texts/model-inputs.js';

export interface Subjects {
  readonly service: Target;
  readonly bareFastify: Target;
  readonly peers: readonly Target[];
  /** Absent for a model that it cannot run. */
  readonly raw: { readonly loop: RawLoop; readonly inputs: ModelInputs } | undefined;
}

export interface RoundsDeps {
  readonly subjects: Subjects;
  readonly measurer: Measurer;
  readonly times: Times;
  readonly arrivals: Arrivals;
  /** Of the service; the servers of the ideal queue. */
  readonly workers: number;
  /** Begins a round, counted from 1. */
  readonly onRound: (round: number) => void;
}

/** @returns what the raw loop made of the short texts in the last round */
export async function runRounds(count: number, deps: RoundsDeps): Promise<RawLoopResult | undefined> {
  const { subjects, measurer, times, arrivals, workers } = deps;
  const { service, bareFastify, peers, raw } = subjects;
  let seed = 0;
  let uniquePerSecond = 0;
  let halfOfService: OpenPace | undefined;
  let bare: RawLoopResult | undefined;
  const arriving = () => ({ arrivals, seed: (seed += 1) });

  async function uniqueTexts(target: Target): Promise<{ readonly perSecond: number; readonly half: OpenPace }> {
    const perSecond = await measurer.measure(target, [{ load: LOADS.unique, stream: saturating() }]);
    const half = atHalf(perSecond, arriving());
    await measurer.measure(target, [{ load: LOADS.uniqueHalf, stream: paced(half) }]);
    return { perSecond, half };
  }
  async function uniqueTextsOfService(): Promise<void> {
    ({ perSecond: uniquePerSecond, half: halfOfService } = await uniqueTexts(service));
  }
  async function rawLoop(load: string, inputs: keyof ModelInputs): Promise<RawLoopResult | undefined> {
    if (raw === undefined) return undefined;
    const result = await raw.loop.measure({ texts: raw.inputs[inputs], ...times });
    const { textsPerSecond, timesMs, cpuCores } = result;
    measurer.add({
      ...UNASKED,
      subject: SUBJECTS.rawLoop,
      load,
      perSecond: textsPerSecond,
      latenciesMs: timesMs,
      cpuCores,
    });
    return result;
  }
  function idealQueue(): void {
    if (bare === undefined || halfOfService === undefined) return;
    const pace = halfOfService;
    const latenciesMs = idealLatencies({ ...times, pace, serviceMs: bare.textMs, servers: workers });
    const perSecond = (1000 * latenciesMs.length) / times.measureMs;
    const load = LOADS.uniqueHalf;
    measurer.add({
      ...UNASKED,
      subject: SUBJECTS.idealQueue,
      load,
      perSecond,
      latenciesMs,
      offeredPerSecond: pace.perSecond,
    });
  }
  async function cachedTexts(): Promise<void> {
    const stream = saturating(repeated(1));
    const perSecond = await measurer.measure(service, [{ load: LOADS.cached, stream }]);
    await measurer.measure(bareFastify, [{ load: LOADS.cached, stream }]);
    await measurer.measure(service, [
      { load: LOADS.cachedHalf, stream: paced(atHalf(perSecond, arriving()), repeated(1)) },
      { load: LOADS.uniqueBesideCached, stream: paced(fewOf(uniquePerSecond, arriving())) },
    ]);
  }
  async function longTexts(): Promise<void> {
    await measurer.measure(service, [{ load: LOADS.longAlone, stream: oneLongTextAtATime() }]);
    await rawLoop(LOADS.long, 'long');
    await measurer.measure(service, [{ load: LOADS.long, stream: saturatingWithLongTexts() }]);
  }
  async function mix(): Promise<void> {
    await measurer.measure(service, [{ load: LOADS.shortAlone, stream: paced(fewOf(uniquePerSecond, arriving())) }]);
    await rawLoop(LOADS.window, 'windows');
    await measurer.measure(service, [
      { load: LOADS.shortBesideLong, stream: paced(fewOf(uniquePerSecond, arriving())) },
      { load: LOADS.longBesideShort, stream: saturatingWithLongTexts() },
    ]);
  }

  const blocks: (() => Promise<unknown>)[] = [
    // The first of all, as others need its rate.
    uniqueTextsOfService,
    async () => (bare = await rawLoop(LOADS.unique, 'short')),
    ...peers.map((peer) => () => uniqueTexts(peer)),
    () => measurer.measure(service, [{ load: LOADS.repeated, stream: saturating(repeated(0.9)) }]),
    cachedTexts,
    longTexts,
    mix,
  ];
  for (let round = 1; round <= count; round += 1) {
    deps.onRound(round);
    for (const block of round % 2 === 1 ? blocks : blocks.toReversed()) await block();
    idealQueue();
  }
  return bare;
}

/** What is not known of what no process answers. */
export const UNASKED = {
  offeredPerSecond: null,
  answers: {},
  cpuCores: null,
  threads: null,
  memoryMegabytes: null,
  generatorCores: null,
  stages: null,
  isAlone: true,
};
