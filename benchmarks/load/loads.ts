/** What is measured and by what names: subjects, loads, and how many connections and texts they have. */
import type { Content, Pace, StreamPlan } from './generator/load-plan.js';
import type { LoadOptions } from './arguments.js';

export const SUBJECTS = {
  service: 'Parapet',
  oneWorker: 'Parapet, 1 worker',
  bareFastify: 'bare Fastify',
  torch: 'FastAPI + PyTorch float32',
  onnx: 'FastAPI + onnxruntime int8',
  rawLoop: 'raw loop',
} as const;

export const LOADS = {
  unique: 'unique',
  uniqueHalf: 'unique, half rate',
  repeated: '90 % repeated',
  cached: 'all cached',
  cachedHalf: 'all cached, half rate',
  long: '10,000 characters',
  longAlone: '10,000 characters, one at a time',
  shortAlone: 'few short ones alone',
  shortBesideLong: 'few short ones beside long',
  longBesideShort: 'the long beside them',
} as const;

export const LONG_CHARACTERS = 10_000;

/** Other lengths of text; the longest is `LOADS.long`. */
export const LENGTHS = [100, 300, 1000, 3000] as const;
export const lengthLoad = (characters: number): string => `${characters} characters`;

/** Other shares of texts from the cache; 0, 0.9 and 1 have loads of their own. */
export const HIT_SHARES = [0.5, 0.99] as const;
export const hitLoad = (share: number): string => `${100 * share} % repeated`;

/** More than any server here works on at a time, so that it is never idle. */
const CLOSED_CONNECTIONS = 32;
/** As many as the service lets wait by default: what is due beyond them waits in the generator, and that counts. */
const OPEN_CONNECTIONS = 128;
/** Long texts that are under way at a time. Each alone keeps all workers busy. */
const LONG_CONNECTIONS = 8;
const HOT_TEXTS = 100;
/** Of the saturating rate: so few that they hardly wait for each other. */
const FEW_SHARE = 0.2;

const UNIQUE: Content = { kind: 'unique' };
export const repeated = (hotShare: number): Content => ({ kind: 'repeated', hotShare, hotTexts: HOT_TEXTS });
const sized = (characters: number): Content => ({ kind: 'sized', characters });

/** At most this many requests are under way, each connection's next one as soon as its last one is answered. */
export function saturating(content: Content = UNIQUE): StreamPlan {
  return { content, pace: { kind: 'closed', connections: CLOSED_CONNECTIONS } };
}

export function saturatingWithTextsOf(characters: number): StreamPlan {
  const connections = characters >= LONG_CHARACTERS ? LONG_CONNECTIONS : CLOSED_CONNECTIONS;
  return { content: sized(characters), pace: { kind: 'closed', connections } };
}

export function oneLongTextAtATime(): StreamPlan {
  return { content: sized(LONG_CHARACTERS), pace: { kind: 'closed', connections: 1 } };
}

export type OpenPace = Pick<LoadOptions, 'arrivals'> & { readonly seed: number };

/** At half of what was just measured to saturate. */
export function atHalf(saturatingPerSecond: number, open: OpenPace, content: Content = UNIQUE): StreamPlan {
  return { content, pace: openPace(saturatingPerSecond / 2, open) };
}

export function fewShortOnes(saturatingPerSecond: number, open: OpenPace): StreamPlan {
  return { content: UNIQUE, pace: openPace(FEW_SHARE * saturatingPerSecond, open) };
}

function openPace(perSecond: number, { arrivals, seed }: OpenPace): Pace {
  // A server that answered nothing has failed already; its rate must still be one.
  return { kind: 'open', connections: OPEN_CONNECTIONS, perSecond: Math.max(1, perSecond), arrivals, seed };
}
