/** What the network reads at once: the tokens of a segment, or of a part of one that has too many. Knows tokens, not labels. */
import type { ReadSegment } from '../text/read-text.js';
import type { Reading } from './classifier.js';
import type { TokenizedPiece } from './tokenizer.js';

/** Ids without [CLS] and [SEP]; `start` and `end` are those of the segment. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

/** [CLS] and [SEP]. */
export const FRAME_TOKENS = 2;

/**
 * @param pieces each of at most `maxTokens - FRAME_TOKENS` ids
 * @returns at least one run, each of at most `maxTokens` tokens with its frame; several are about as long as each other
 */
export function runsOf(pieces: readonly TokenizedPiece[], { start, end }: ReadSegment, maxTokens: number): Run[] {
  const room = maxTokens - FRAME_TOKENS;
  const total = pieces.reduce((sum, { ids }) => sum + ids.length, 0);
  const even = Math.ceil(total / Math.ceil(total / room));
  const parts: number[][] = [[]];
  for (const { ids } of pieces) {
    const last = parts.at(-1) ?? [];
    if (last.length > 0 && (last.length >= even || last.length + ids.length > room)) parts.push([...ids]);
    else last.push(...ids);
  }
  return parts.map((ids) => ({ start, end, ids }));
}

/** All runs of a text made one: what its segments say together. Undefined where there is only one, or more than the network can read at once. */
export function wholeOf(runs: readonly Run[], maxTokens: number): Run | undefined {
  if (runs.length < 2) return undefined;
  const ids = runs.flatMap((run) => run.ids);
  if (ids.length > maxTokens - FRAME_TOKENS) return undefined;
  // What stands within tags is read last.
  return { start: Math.min(...runs.map(({ start }) => start)), end: Math.max(...runs.map(({ end }) => end)), ids };
}

/** What the network reads of a run: its frame counts. */
export function framedTokens({ ids }: Run): number {
  return ids.length + FRAME_TOKENS;
}

/** Runs in order, in slices of at most `maxTokens` tokens and of one run at least. */
export function slicesOf<Item>(runs: readonly Item[], maxTokens: number, tokensOf: (run: Item) => number): Item[][] {
  const slices: Item[][] = [];
  let room = 0;
  for (const run of runs) {
    const tokens = tokensOf(run);
    const slice = slices.at(-1);
    if (slice === undefined || tokens > room) {
      slices.push([run]);
      room = maxTokens - tokens;
    } else {
      slice.push(run);
      room -= tokens;
    }
  }
  return slices;
}

/** Parts of a segment, which follow each other, made one: of a label the strongest counts, of a sentiment or language the mean by tokens. */
export function joinParts(judged: readonly Reading[]): Reading[] {
  const segments: Reading[] = [];
  for (const part of judged) {
    const last = segments.at(-1);
    if (last?.start === part.start && last.end === part.end) segments[segments.length - 1] = joined(last, part);
    else segments.push(part);
  }
  return segments;
}

function joined(one: Reading, other: Reading): Reading {
  const tokens = one.tokens + other.tokens;
  const share = tokens === 0 ? 0 : other.tokens / tokens;
  const mean = (ofOne: readonly number[], ofOther: readonly number[]): number[] =>
    ofOne.map((value, index) => (1 - share) * value + share * (ofOther[index] ?? value));
  return {
    start: one.start,
    end: one.end,
    tokens,
    unreadTokens: one.unreadTokens + other.unreadTokens,
    labels: one.labels.map((probability, index) => Math.max(probability, other.labels[index] ?? 0)),
    sentiments: mean(one.sentiments, other.sentiments),
    ...(one.languages && other.languages && { languages: mean(one.languages, other.languages) }),
  };
}
