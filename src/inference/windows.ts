/** Cuts a tokenised text into overlapping windows that the model can read at once. Knows tokens, not labels. */
import type { TokenizedPiece } from './tokenizer.js';

/** Ids without [CLS] and [SEP]; `start` and `end` are UTF-16 offsets of the stretch of text that they cover. */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

export interface WindowSize {
  /** Most tokens of a window, [CLS] and [SEP] included. */
  readonly maxTokens: number;
  /** Least tokens that two neighbours share, so that a phrase on a border is whole in one of them. */
  readonly overlapTokens: number;
}

/** [CLS] and [SEP]. */
export const FRAME_TOKENS = 2;

/** The pieces of one window: from index `first` on, before index `next`. */
export interface Stretch {
  readonly first: number;
  readonly next: number;
}

/**
 * @returns windows in text order that together cover every piece; one empty window for a text without tokens. No piece may have
 * more than `maxTokens - overlapTokens - FRAME_TOKENS` ids.
 */
export function planWindows(pieces: readonly TokenizedPiece[], size: WindowSize): Window[] {
  return planStretches(pieces, size).map((stretch) => windowOf(pieces, stretch));
}

/** As planWindows, before the ids are joined. */
export function planStretches(pieces: readonly TokenizedPiece[], size: WindowSize): Stretch[] {
  const room = roomOf(size);
  const stretches: Stretch[] = [];
  let first = 0;
  do {
    let tokens = 0;
    let next = first;
    for (let piece = pieces[next]; piece !== undefined && tokens + piece.ids.length <= room; piece = pieces[next]) {
      tokens += piece.ids.length;
      next += 1;
    }
    stretches.push({ first, next });
    if (next >= pieces.length) break;
    first = stepBack(pieces, next, size.overlapTokens, room);
  } while (first < pieces.length);
  return stretches;
}

export function windowOf(pieces: readonly TokenizedPiece[], { first, next }: Stretch): Window {
  const ids = pieces.slice(first, next).flatMap((piece) => piece.ids);
  return { start: pieces[first]?.start ?? 0, end: pieces[next - 1]?.end ?? 0, ids };
}

/** Tokens of a text that fit into a window. */
export function roomOf({ maxTokens }: WindowSize): number {
  return maxTokens - FRAME_TOKENS;
}

/**
 * Where the next window begins: at the last piece from which at least `overlap` ids lie before piece `next`, but no further back
 * than lets `next` itself fit, so that every window reaches beyond the one before.
 */
function stepBack(pieces: readonly TokenizedPiece[], next: number, overlap: number, room: number): number {
  let spare = room - (pieces[next]?.ids.length ?? 0);
  let shared = 0;
  let index = next;
  for (let piece = pieces[index - 1]; piece !== undefined && shared < overlap; piece = pieces[index - 1]) {
    spare -= piece.ids.length;
    if (spare < 0) break;
    shared += piece.ids.length;
    index -= 1;
  }
  return index;
}

/** What the model reads of a window: its frame counts. */
export function framedTokens({ ids }: Window): number {
  return ids.length + FRAME_TOKENS;
}

/** Windows in order, in slices of at most `maxTokens` tokens and of one window at least. */
export function slicesOf<Item>(
  windows: readonly Item[],
  maxTokens: number,
  tokensOf: (window: Item) => number,
): Item[][] {
  const slices: Item[][] = [];
  let room = 0;
  for (const window of windows) {
    const tokens = tokensOf(window);
    const slice = slices.at(-1);
    if (slice === undefined || tokens > room) {
      slices.push([window]);
      room = maxTokens - tokens;
    } else {
      slice.push(window);
      room -= tokens;
    }
  }
  return slices;
}
