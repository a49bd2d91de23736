/**
 * Unigram (SentencePiece): cuts words into the pieces of a vocabulary that are likeliest together. Knows neither texts nor where words end.
 * It stands in for that of @huggingface/tokenizers, whose trie of 60,000 pieces takes 24 MB in each worker and which reads the names of
 * special tokens, as in `[SEP]`, as these tokens.
 */

type Piece = readonly [piece: string, logProbability: number];

export interface UnigramVocabulary {
  /** Every piece that a text may be spelt with, and its log-probability. */
  readonly pieces: readonly Piece[];
  /** Stands for a character that is no piece. */
  readonly unknown: string;
}

/** What a character that is no piece costs beyond the least likely piece (`kUnkPenalty` of SentencePiece). */
const UNKNOWN_PENALTY = 10;

/** @returns the pieces of words, in order, in time linear in their length */
export function createUnigram({ pieces, unknown }: UnigramVocabulary): (words: readonly string[]) => string[] {
  const trie = createPieceTrie(pieces);
  let least = 0;
  for (const [, logProbability] of pieces) least = Math.min(least, logProbability);
  const unknownLogProbability = least - UNKNOWN_PENALTY;

  // For each offset of a word. Kept between words: to make them takes longer than to fill them.
  let best = new Float64Array(64);
  let previous = new Int32Array(64);
  let isUnknown = new Uint8Array(64);

  /** The best way to each offset of a word, from the first on (Viterbi). Of two that are equal the one with the longer last piece counts. */
  function spell(word: string): string[] {
    if (word.length >= best.length) {
      best = new Float64Array(2 * word.length);
      previous = new Int32Array(2 * word.length);
      isUnknown = new Uint8Array(2 * word.length);
    }
    best.fill(-Infinity, 0, word.length + 1);
    best[0] = 0;
    const reach = (start: number, end: number, logProbability: number, isUnread: 0 | 1): void => {
      const total = (best[start] ?? 0) + logProbability;
      if (total <= (best[end] ?? 0)) return;
      best[end] = total;
      previous[end] = start;
      isUnknown[end] = isUnread;
    };
    for (let start = 0; start < word.length;) {
      const next = start + ((word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
      let isPiece = false;
      let node = ROOT;
      for (let end = start + 1; end <= word.length; end += 1) {
        node = trie.next(node, word.charCodeAt(end - 1));
        if (node === NONE) break;
        const logProbability = trie.valueAt(node);
        if (Number.isNaN(logProbability) || end < next) continue;
        reach(start, end, logProbability, 0);
        isPiece ||= end === next;
      }
      if (!isPiece) reach(start, next, unknownLogProbability, 1);
      start = next;
    }
    const spelled: string[] = [];
    for (let end = word.length; end > 0; end = previous[end] ?? 0) {
      spelled.push(isUnknown[end] === 1 ? unknown : word.slice(previous[end], end));
    }
    return spelled.reverse();
  }

  return (words) => words.flatMap(spell);
}

/** The pieces of a vocabulary as a trie in typed arrays: walked along a word, it finds all that begin at an offset without making strings. */
export interface PieceTrie {
  /** The node behind `unit`, one UTF-16 unit of a piece; `NONE` where no piece goes on so. Begin at `ROOT`. */
  readonly next: (node: number, unit: number) => number;
  /** Of the piece that ends at a node; NaN where none does. */
  readonly valueAt: (node: number) => number;
}

export const ROOT = 0;
export const NONE = -1;

/** Of a hash table with open addressing. An edge takes four numbers: its two nodes, each plus one so that 0 is free, its unit, and nothing. */
const EDGE = 4;

export function createPieceTrie(pieces: readonly Piece[]): PieceTrie {
  let places = 2 ** Math.ceil(Math.log2(4 * pieces.length + 4));
  let table = new Int32Array(places * EDGE);
  const values = [NaN];

  /** Of the edge, or where it would stand. */
  function placeOf(node: number, unit: number): number {
    const hash = Math.imul(Math.imul(node, 0x85ebca6b) ^ unit, 0x9e3779b1);
    for (let place = hash ^ (hash >>> 15); ; place += 1) {
      const at = (place & (places - 1)) * EDGE;
      const from = table[at];
      if (from === 0 || (from === node + 1 && table[at + 1] === unit)) return at;
    }
  }

  function grow(): void {
    const smaller = table;
    places *= 2;
    table = new Int32Array(places * EDGE);
    for (let at = 0; at < smaller.length; at += EDGE) {
      const node = (smaller[at] ?? 0) - 1;
      if (node >= 0) table.set(smaller.subarray(at, at + EDGE), placeOf(node, smaller[at + 1] ?? 0));
    }
  }

  const next = (node: number, unit: number): number => (table[placeOf(node, unit) + 2] ?? 0) - 1;
  for (const [piece, value] of pieces) {
    let node = ROOT;
    for (let index = 0; index < piece.length; index += 1) {
      const unit = piece.charCodeAt(index);
      let at = placeOf(node, unit);
      if (table[at] === 0) {
        if (2 * values.length > places) {
          grow();
          at = placeOf(node, unit);
        }
        table[at] = node + 1;
        table[at + 1] = unit;
        table[at + 2] = values.push(NaN);
      }
      node = (table[at + 2] ?? 0) - 1;
    }
    values[node] = value;
  }
  const kept = new Float64Array(values);
  return { next, valueAt: (node) => kept[node] ?? NaN };
}
