/** What the network reads at once: the tokens of a segment, or of a part of one that has too many. Knows tokens, not labels. */
import type { ReadSegment } from '../text/read-text.js';
import type { Reading } from './classifier.js';
import type { TokenizedPiece } from './tokenizer.js';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Ids without [CLS] and [SEP]; `start` and `end` are those of the segment. */
export interface Run extends Place {
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

/**
 * What is read at once of a text: as many segments as fit, and of a segment that no run holds each part alone. Counterpart:
 * models/training/parapet_training/joining.py.
 *
 * @param segments their runs, in text order
 * @param tellsHighest whether the network says what the worst of several segments is. Segments for one that does not are read together only
 * where all of the text fits
 */
export function windowsOf(segments: readonly (readonly Run[])[], maxTokens: number, tellsHighest: boolean): Run[][] {
  const windows = slicesOf(segments, maxTokens - FRAME_TOKENS, idsIn).flatMap((slice) =>
    slice.length > 1 ? [slice.flat()] : alone(slice.flat()),
  );
  return tellsHighest || windows.length === 1 ? windows : alone(segments.flat());
}

/** Where a window stands in the text as sent, in UTF-16 units. */
export function placeOf(window: readonly Place[]): Place {
  return { start: window[0]?.start ?? 0, end: window.at(-1)?.end ?? 0 };
}

/** Each a window of its own. */
export function alone<Item>(runs: readonly Item[]): Item[][] {
  return runs.map((run) => [run]);
}

/** What the network reads of a window: its frame counts. */
export function framedTokens(window: readonly Run[]): number {
  return idsIn(window) + FRAME_TOKENS;
}

function idsIn(runs: readonly Run[]): number {
  return runs.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Items in order, in slices of at most `maxTokens` tokens and of one item at least. */
export function slicesOf<Item>(items: readonly Item[], maxTokens: number, tokensOf: (item: Item) => number): Item[][] {
  const slices: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const tokens = tokensOf(item);
    const slice = slices.at(-1);
    if (slice === undefined || tokens > room) {
      slices.push([item]);
      room = maxTokens - tokens;
    } else {
      slice.push(item);
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
