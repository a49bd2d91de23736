/**
 * Sequences of numbers in ascending order, gone through as a trie: those that begin alike stand side by side, so that a node is a range of them.
 * Two flat arrays are all there is of it.
 */

/** Of a sequence that is not there. */
export const NONE = -1;

/** The sequences from number `from` to before `to`, which have their first `depth` symbols in common. Never empty, but for a root of none. */
export interface SequenceNode {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

export class SortedSequences {
  readonly root: SequenceNode;

  /** @param starts where in `symbols` each sequence begins, and at last where they end; no two sequences are equal */
  constructor(
    readonly symbols: Uint16Array | Uint32Array,
    readonly starts: Uint32Array,
  ) {
    this.root = { from: 0, to: starts.length - 1, depth: 0 };
  }

  get isEmpty(): boolean {
    return this.root.to === 0;
  }

  /** Those of the node that go on with the symbol. */
  next(node: SequenceNode, symbol: number): SequenceNode | undefined {
    const { to, depth } = node;
    const from = this.#firstFrom(node.from, to, depth, symbol);
    if (from === to || this.#symbolAt(from, depth) !== symbol) return undefined;
    // Deep in the trie they all do.
    const isRest = this.#symbolAt(to - 1, depth) === symbol;
    return { from, to: isRest ? to : this.#firstFrom(from, to, depth, symbol + 1), depth: depth + 1 };
  }

  /** The nodes behind one by the symbols of a set, all of which are at least `least`: as many steps as there are of the fewer. */
  nextOf(node: SequenceNode, symbols: ReadonlySet<number>, least: number): SequenceNode[] {
    const found: SequenceNode[] = [];
    const from = symbols.size === 0 ? node.to : this.#firstFrom(node.from, node.to, node.depth, least);
    if (node.to - from > symbols.size) {
      for (const symbol of symbols) {
        const child = this.next(node, symbol);
        if (child !== undefined) found.push(child);
      }
    } else {
      for (let at = from; at < node.to;) {
        const symbol = this.#symbolAt(at, node.depth);
        const to = this.#firstFrom(at, node.to, node.depth, symbol + 1);
        if (symbols.has(symbol)) found.push({ from: at, to, depth: node.depth + 1 });
        at = to;
      }
    }
    return found;
  }

  /** The number of the sequence that ends at the node, or NONE. */
  endingAt({ from, to, depth }: SequenceNode): number {
    return from < to && this.#symbolAt(from, depth) === NONE ? from : NONE;
  }

  /** Whether none goes on. */
  isLast(node: SequenceNode): boolean {
    return node.to - node.from === 1 && this.endingAt(node) !== NONE;
  }

  /** Where the symbol that led to the node stands in `symbols`: a place that no other node has. */
  placeOf({ from, depth }: SequenceNode): number {
    return (this.starts[from] ?? 0) + depth - 1;
  }

  /** A sequence that has ended sorts before those that go on. */
  #symbolAt(number: number, depth: number): number {
    const place = (this.starts[number] ?? 0) + depth;
    return place < (this.starts[number + 1] ?? 0) ? (this.symbols[place] ?? NONE) : NONE;
  }

  #firstFrom(from: number, to: number, depth: number, symbol: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#symbolAt(middle, depth) < symbol) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
