/** The rounds: everything is measured once in each, every other round in reverse order, so that no subject always has the same neighbour. */
import type { Arrivals } from './generator/arrivals.js';
import {
  atHalf,
  fewShortOnes,
  HIT_SHARES,
  hitLoad,
  lengthLoad,
  LENGTHS,
  LOADS,
  LONG_CHARACTERS,
  oneLongTextAtATime,
  repeated,
  saturating,
  saturatingWithTextsOf,
  SUBJECTS,
} from './loads.js';
import type { Measurer, Times } from './measurer.js';
import type { RawLoop } from './peers/raw-loop.js';
import type { Target } from './targets/target.js';
import type { ModelInputs, Runs } from './texts/model-inputs.js';

export interface Subjects {
  readonly service: Target;
  /** The service with one worker, where the other has more. */
  readonly oneWorker: Target | undefined;
  readonly bareFastify: Target;
  readonly peers: readonly Target[];
  /** Absent, as its inputs are, for a model that it cannot run. */
  readonly rawLoop: RawLoop | undefined;
}

export interface RoundsDeps {
  readonly subjects: Subjects;
  readonly measurer: Measurer;
  readonly times: Times;
  readonly arrivals: Arrivals;
  readonly inputs: ModelInputs | undefined;
  /** Begins a round, counted from 1. */
  readonly onRound: (round: number) => void;
}

export async function runRounds(count: number, deps: RoundsDeps): Promise<void> {
  const { subjects, measurer, times, arrivals, inputs } = deps;
  const { service, oneWorker, bareFastify, peers } = subjects;
  const growthTimes = { measureMs: Math.max(1000, times.measureMs / 2) };
  let seed = 0;
  let uniquePerSecond = 0;
  const open = () => ({ arrivals, seed: (seed += 1) });

  async function uniqueTexts(target: Target): Promise<number> {
    const perSecond = await measurer.measure(target, [{ load: LOADS.unique, stream: saturating() }]);
    await measurer.measure(target, [{ load: LOADS.uniqueHalf, stream: atHalf(perSecond, open()) }]);
    return perSecond;
  }
  async function rawLoop(load: string, texts: readonly Runs[] | undefined): Promise<void> {
    if (subjects.rawLoop === undefined || texts === undefined) return;
    const { textsPerSecond, timesMs } = await subjects.rawLoop.measure({ texts, ...times });
    measurer.add({ ...RAW_LOOP, load, perSecond: textsPerSecond, latenciesMs: timesMs });
  }
  async function cachedTexts(): Promise<void> {
    const stream = saturating(repeated(1));
    const perSecond = await measurer.measure(service, [{ load: LOADS.cached, stream }]);
    await measurer.measure(bareFastify, [{ load: LOADS.cached, stream }]);
    const half = atHalf(perSecond, open(), repeated(1));
    await measurer.measure(service, [{ load: LOADS.cachedHalf, stream: half }]);
  }
  async function longTexts(): Promise<void> {
    await measurer.measure(service, [{ load: LOADS.longAlone, stream: oneLongTextAtATime() }]);
    await rawLoop(LOADS.long, inputs?.long);
    await measurer.measure(service, [{ load: LOADS.long, stream: saturatingWithTextsOf(LONG_CHARACTERS) }]);
  }
  async function mix(): Promise<void> {
    await measurer.measure(service, [{ load: LOADS.shortAlone, stream: fewShortOnes(uniquePerSecond, open()) }]);
    await measurer.measure(service, [
      { load: LOADS.shortBesideLong, stream: fewShortOnes(uniquePerSecond, open()) },
      { load: LOADS.longBesideShort, stream: saturatingWithTextsOf(LONG_CHARACTERS) },
    ]);
  }
  async function growth(): Promise<void> {
    for (const characters of LENGTHS) {
      const stream = saturatingWithTextsOf(characters);
      await measurer.measure(service, [{ load: lengthLoad(characters), stream }], growthTimes);
    }
    for (const share of HIT_SHARES) {
      await measurer.measure(service, [{ load: hitLoad(share), stream: saturating(repeated(share)) }], growthTimes);
    }
    if (oneWorker !== undefined) {
      await measurer.measure(oneWorker, [{ load: LOADS.unique, stream: saturating() }], growthTimes);
    }
  }

  const blocks: (() => Promise<unknown>)[] = [
    // The first of all, as others need its rate.
    async () => (uniquePerSecond = await uniqueTexts(service)),
    ...peers.map((peer) => () => uniqueTexts(peer)),
    () => rawLoop(LOADS.unique, inputs?.short),
    () => measurer.measure(service, [{ load: LOADS.repeated, stream: saturating(repeated(0.9)) }]),
    cachedTexts,
    longTexts,
    mix,
    growth,
  ];
  for (let round = 1; round <= count; round += 1) {
    deps.onRound(round);
    for (const block of round % 2 === 1 ? blocks : blocks.toReversed()) await block();
  }
}

const RAW_LOOP = {
  subject: SUBJECTS.rawLoop,
  offeredPerSecond: null,
  answers: {},
  cpuCores: null,
  rssMegabytes: null,
  generatorCores: null,
  stages: null,
};
