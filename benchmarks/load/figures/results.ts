/** The outcome of a run as plain data: what is printed, drawn and written as JSON. */
import { HIT_SHARES, hitLoad, lengthLoad, LENGTHS, LOADS, LONG_CHARACTERS, SUBJECTS } from '../loads.js';
import type { MemoryFigures } from '../memory-test.js';
import type { Goal } from './goals.js';
import type { LoadFigures } from './load-figures.js';
import type { Machine } from './machine.js';

export interface PeerDescription {
  readonly name: string;
  /** How it was deployed, and what else was tried. */
  readonly description: string;
}

export interface Results {
  readonly finishedAt: string;
  readonly minutes: number;
  readonly model: string;
  readonly texts: string;
  /** Mean runs of the model, and tokens of a short text. */
  readonly runsPerText: number | null;
  readonly tokensPerText: number | null;
  readonly workers: number;
  readonly rounds: number;
  readonly measureSeconds: number;
  readonly arrivals: string;
  readonly machine: Machine;
  readonly peers: readonly PeerDescription[];
  readonly goals: readonly Goal[];
  readonly loads: readonly LoadFigures[];
  readonly memory: MemoryFigures | null;
  readonly startsMs: readonly number[];
  /** What a reader must know to believe the figures or not. */
  readonly notes: readonly string[];
}

export interface Growth {
  readonly title: string;
  readonly axis: string;
  readonly points: readonly { readonly x: number; readonly perSecond: number }[];
}

/** Throughput of the service against each of what it depends on. */
export function growthOf({ loads, workers }: Pick<Results, 'loads' | 'workers'>): Growth[] {
  const rate = (x: number, load: string, subject: string = SUBJECTS.service): Growth['points'] => {
    const perSecond = loads.find((entry) => entry.subject === subject && entry.load === load)?.median.perSecond ?? null;
    return perSecond === null ? [] : [{ x, perSecond }];
  };
  return [
    {
      title: 'Throughput and length of text',
      axis: 'characters',
      points: [
        ...LENGTHS.flatMap((characters) => rate(characters, lengthLoad(characters))),
        ...rate(LONG_CHARACTERS, LOADS.long),
      ],
    },
    {
      title: 'Throughput and workers, unique texts',
      axis: 'workers',
      points: [...rate(1, LOADS.unique, SUBJECTS.oneWorker), ...rate(workers, LOADS.unique)],
    },
    {
      title: 'Throughput and share of texts from the cache',
      axis: 'repeated texts in %',
      points: [
        ...rate(0, LOADS.unique),
        ...rate(90, LOADS.repeated),
        ...HIT_SHARES.flatMap((share) => rate(100 * share, hitLoad(share))),
        ...rate(100, LOADS.cached),
      ].sort((one, other) => one.x - other.x),
    },
  ];
}
