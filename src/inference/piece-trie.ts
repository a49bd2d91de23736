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

/** And their values. */
export type Pieces = ReadonlyMap<string, number> | readonly (readonly [piece: string, value: number])[];

export function createPieceTrie(pieces: Pieces): PieceTrie {
  let places = 2 ** Math.ceil(Math.log2(4 * ('size' in pieces ? pieces.size : pieces.length) + 4));
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
