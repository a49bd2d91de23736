/** The outcome of a run as plain data: what is printed, drawn and written as JSON. Types only. */
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
  /** Mean runs of the model, and tokens that they read, of a short text. */
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
