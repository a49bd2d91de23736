/** What is measured and by what names: subjects, loads, and how many connections and texts they have. */
import type { Content, OpenPace, StreamPlan } from './generator/load-plan.js';

export const SUBJECTS = {
  service: 'Parapet',
  bareFastify: 'bare Fastify',
  torch: 'FastAPI + PyTorch float32',
  onnx: 'FastAPI + onnxruntime int8',
  rawLoop: 'raw loop',
  idealQueue: 'ideal queue',
} as const;

export const LOADS = {
  unique: 'unique',
  uniqueHalf: 'unique, half rate',
  repeated: '90 % repeated',
  cached: 'all cached',
  cachedHalf: 'all cached, half rate, beside unique',
  uniqueBesideCached: 'the unique beside them',
  long: '10,000 characters',
  longAlone: '10,000 characters, one at a time',
  shortAlone: 'few short ones alone',
  shortBesideLong: 'few short ones beside long',
  longBesideShort: 'the long beside them',
  window: 'one full run',
} as const;

export const LONG_CHARACTERS = 10_000;

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
const LONG: Content = { kind: 'sized', characters: LONG_CHARACTERS };
export const repeated = (hotShare: number): Content => ({ kind: 'repeated', hotShare, hotTexts: HOT_TEXTS });

/** At most this many requests are under way, each connection's next one as soon as its last one is answered. */
export function saturating(content: Content = UNIQUE): StreamPlan {
  return { content, pace: { kind: 'closed', connections: CLOSED_CONNECTIONS } };
}

export function saturatingWithLongTexts(): StreamPlan {
  return { content: LONG, pace: { kind: 'closed', connections: LONG_CONNECTIONS } };
}

export function oneLongTextAtATime(): StreamPlan {
  return { content: LONG, pace: { kind: 'closed', connections: 1 } };
}

export type Arriving = Pick<OpenPace, 'arrivals' | 'seed'>;

/** At half of what was just measured to saturate. */
export function atHalf(saturatingPerSecond: number, arriving: Arriving): OpenPace {
  return openPace(saturatingPerSecond / 2, arriving);
}

export function fewOf(saturatingPerSecond: number, arriving: Arriving): OpenPace {
  return openPace(FEW_SHARE * saturatingPerSecond, arriving);
}

export function paced(pace: OpenPace, content: Content = UNIQUE): StreamPlan {
  return { content, pace };
}

function openPace(perSecond: number, arriving: Arriving): OpenPace {
  // A server that answered nothing has failed already; its rate must still be one.
  return { kind: 'open', connections: OPEN_CONNECTIONS, perSecond: Math.max(1, perSecond), ...arriving };
}
