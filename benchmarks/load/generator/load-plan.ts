/** What the generator is asked for and what it answers: the messages between the benchmark and its generator process. Types only. */
import type { Arrivals } from './arrivals.js';

/** Where requests go. */
export interface Endpoint {
  readonly host: string;
  /** Connections take turns at them. */
  readonly ports: readonly number[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a stream of requests carries. */
export type Content =
  | { readonly kind: 'unique' }
  /** A share of the texts, from 0 to 1, is of a set of `hotTexts` that come again and again; the others are unique. */
  | { readonly kind: 'repeated'; readonly hotShare: number; readonly hotTexts: number }
  /** Unique texts of so many UTF-16 units. */
  | { readonly kind: 'sized'; readonly characters: number };

/** How fast they come. */
export type Pace =
  /** Each connection asks again when it has its answer. */
  { readonly kind: 'closed'; readonly connections: number } | OpenPace;

/** At a rate of its own, whether answers come or not. */
export interface OpenPace {
  readonly kind: 'open';
  readonly connections: number;
  readonly perSecond: number;
  readonly arrivals: Arrivals;
  readonly seed: number;
}

export interface StreamPlan {
  readonly content: Content;
  readonly pace: Pace;
  /** In place of those of the endpoint that have the same name. */
  readonly headers?: Endpoint['headers'];
}

export interface LoadPlan {
  readonly endpoint: Endpoint;
  /** They run side by side. */
  readonly streams: readonly StreamPlan[];
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Index of the first unique text; see `LoadResult.nextText`. */
  readonly firstText: number;
}

/** A status, or why there is none. */
export type Answer = number | 'connection lost' | 'not HTTP' | 'no answer';

export interface StreamResult {
  /** How many requests of the measured interval ended how. */
  readonly answers: Readonly<Partial<Record<Answer, number>>>;
  /** Answers of status 200 within the interval. */
  readonly succeededPerSecond: number;
  /** Of every request of the interval with status 200, from the time it was due to its answer; ascending. */
  readonly latenciesMs: Float64Array;
}

export interface LoadResult {
  /** In the order of the plan. */
  readonly streams: readonly StreamResult[];
  /** Where the next plan's unique texts begin. */
  readonly nextText: number;
  /** CPU seconds of the generator itself per second: near 1 it was the limit, not the server. */
  readonly generatorCores: number;
}

export type GeneratorRequest =
  { readonly kind: 'texts'; readonly pool: readonly string[] } | { readonly kind: 'load'; readonly plan: LoadPlan };

export type GeneratorReply =
  /** The ends of the measured interval, at which the server's counters are read. */
  { readonly kind: 'interval begins' | 'interval ends' } | { readonly kind: 'result'; readonly result: LoadResult };
