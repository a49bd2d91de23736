/** What the network reads at once: the tokens of a segment, of a chunk of one that has too many, or of a whole text. Knows tokens, not labels. */
import type { Placed, Prediction } from './classifier.js';

/** A stretch of text without whitespace, or a part of a long one, and its ids. `start` and `end` are UTF-16 offsets into the text. */
export interface TokenizedPiece {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

export interface Sequence extends Placed {
  /** Without [CLS] and [SEP]. */
  readonly ids: Int32Array;
}

/** [CLS] and [SEP]. */
export const FRAME_TOKENS = 2;

/**
 * @param pieces of a segment, each of at most `maxTokens - FRAME_TOKENS` ids
 * @returns at least one sequence, each of at most `maxTokens` tokens with its frame; several are about as long as each other
 */
export function sequencesOf(pieces: readonly TokenizedPiece[], place: Placed, maxTokens: number): Sequence[] {
  const room = maxTokens - FRAME_TOKENS;
  const total = pieces.reduce((sum, { ids }) => sum + ids.length, 0);
  const even = Math.ceil(total / Math.ceil(total / room));
  const chunks: number[][] = [[]];
  for (const { ids } of pieces) {
    const last = chunks.at(-1) ?? [];
    if (last.length > 0 && (last.length >= even || last.length + ids.length > room)) chunks.push([...ids]);
    else last.push(...ids);
  }
  return chunks.map((ids) => ({ ...place, ids: Int32Array.from(ids) }));
}

/** All sequences of a text made one: what its segments say together. Undefined where there is only one, or more than the network reads at once. */
export function wholeOf(sequences: readonly Sequence[], maxTokens: number): Sequence | undefined {
  if (sequences.length < 2) return undefined;
  const total = sequences.reduce((sum, { ids }) => sum + ids.length, 0);
  if (total > maxTokens - FRAME_TOKENS) return undefined;
  const ids = Int32Array.from(sequences.flatMap((sequence) => [...sequence.ids]));
  // What stands within tags is read last.
  const start = Math.min(...sequences.map((sequence) => sequence.start));
  return { segment: 0, start, end: Math.max(...sequences.map(({ end }) => end)), ids };
}

/** What the network reads of a sequence: its frame counts. */
export function framedTokens({ ids }: Sequence): number {
  return ids.length + FRAME_TOKENS;
}

/** In order, in groups of at most `maxTokens` tokens and of one sequence at least. */
export function groupsOf<Item>(
  sequences: readonly Item[],
  maxTokens: number,
  tokensOf: (item: Item) => number,
): Item[][] {
  const groups: Item[][] = [];
  let room = 0;
  for (const sequence of sequences) {
    const tokens = tokensOf(sequence);
    const group = groups.at(-1);
    if (group === undefined || tokens > room) {
      groups.push([sequence]);
      room = maxTokens - tokens;
    } else {
      group.push(sequence);
      room -= tokens;
    }
  }
  return groups;
}

/** What the chunks of a segment say, which follow each other, made one: of a label the strongest counts, of all else the mean by tokens. */
export function joinChunks(predictions: readonly Prediction[]): Prediction[] {
  const joined: Prediction[] = [];
  for (const prediction of predictions) {
    const last = joined.at(-1);
    if (last?.segment === prediction.segment) joined[joined.length - 1] = join(last, prediction);
    else joined.push(prediction);
  }
  return joined;
}

function join(one: Prediction, other: Prediction): Prediction {
  const tokens = one.tokens + other.tokens;
  const share = tokens === 0 ? 0 : other.tokens / tokens;
  const mean = (ofOne: readonly number[], ofOther: readonly number[]): number[] =>
    ofOne.map((value, index) => (1 - share) * value + share * (ofOther[index] ?? value));
  return {
    segment: one.segment,
    start: one.start,
    end: one.end,
    tokens,
    unreadTokens: one.unreadTokens + other.unreadTokens,
    labels: one.labels.map((probability, index) => Math.max(probability, other.labels[index] ?? 0)),
    sentiments: mean(one.sentiments, other.sentiments),
    ...(one.languages && other.languages && { languages: mean(one.languages, other.languages) }),
  };
}

/** `offset`, moved behind the low surrogate if it would split a pair. */
export function codePointBoundary(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset + 1 : offset;
}
