/** Terms of any number of words as one trie: which terms end after the words that were read so far. Knows patterns by number only. */
import { mixed, slotsFor } from './word-hashes.js';
import { NONE } from './word-patterns.js';

export interface TermTrie {
  /** Where a term goes on from a node with a pattern without a `*`, or NONE. The root is node 0. */
  next(node: number, pattern: number): number;
  /** Where terms go on with a pattern that has a `*`. */
  wildChildren(node: number): readonly number[];
  patternOf(node: number): number;
  /** Whether the term may go on behind the end of a sentence. */
  isAfterSentenceEnd(node: number): boolean;
  isLast(node: number): boolean;
  /** How many words lead to the node. */
  depth(node: number): number;
  /** The first term of its list that ends at the node, or NONE. */
  readonly blocked: (node: number) => number;
  readonly ignored: (node: number) => number;
  readonly bytes: number;
}

const NO_CHILDREN: readonly number[] = [];

export class TermTrieBuilder {
  readonly #parents = [NONE];
  readonly #patterns = [NONE];
  readonly #depths = [0];
  readonly #afterSentenceEnd = [0];
  readonly #blocked = [NONE];
  readonly #ignored = [NONE];
  readonly #children = new Map<number, Map<number, number>>();
  readonly #wild = new Map<number, number[]>();

  child(node: number, pattern: number, isWild: boolean, isAfterSentenceEnd: boolean): number {
    const children = this.#children.get(node) ?? new Map<number, number>();
    this.#children.set(node, children);
    let child = children.get(pattern);
    if (child === undefined) {
      child = this.#parents.length;
      children.set(pattern, child);
      this.#parents.push(node);
      this.#patterns.push(pattern);
      this.#depths.push((this.#depths[node] ?? 0) + 1);
      this.#afterSentenceEnd.push(0);
      this.#blocked.push(NONE);
      this.#ignored.push(NONE);
      if (isWild && node !== 0) this.#wild.set(node, [...(this.#wild.get(node) ?? []), child]);
    }
    if (isAfterSentenceEnd) this.#afterSentenceEnd[child] = 1;
    return child;
  }

  /** Of terms that are the same the first counts. */
  end(node: number, kind: 'blocked' | 'ignored', term: number): void {
    const terms = kind === 'blocked' ? this.#blocked : this.#ignored;
    if (terms[node] === NONE) terms[node] = term;
  }

  build(): TermTrie {
    const parents = Int32Array.from(this.#parents);
    const patterns = Int32Array.from(this.#patterns);
    const depths = Uint8Array.from(this.#depths);
    const afterSentenceEnd = Uint8Array.from(this.#afterSentenceEnd);
    const blocked = Int32Array.from(this.#blocked);
    const ignored = Int32Array.from(this.#ignored);
    const hasChildren = new Uint8Array(parents.length);
    for (const node of this.#children.keys()) hasChildren[node] = 1;
    const wild = new Map(this.#wild);
    const slots = new Int32Array(slotsFor(parents.length));
    const slotOf = (node: number, pattern: number): number =>
      mixed(Math.imul(node, 0x9e3779b1) ^ pattern) % slots.length;
    for (let node = 1; node < parents.length; node += 1) {
      let slot = slotOf(parents[node] ?? 0, patterns[node] ?? 0);
      while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
      slots[slot] = node;
    }
    return {
      next(node, pattern) {
        for (let slot = slotOf(node, pattern); ; slot = (slot + 1) % slots.length) {
          const child = slots[slot] ?? 0;
          if (child === 0) return NONE;
          if (parents[child] === node && patterns[child] === pattern) return child;
        }
      },
      wildChildren: (node) => wild.get(node) ?? NO_CHILDREN,
      patternOf: (node) => patterns[node] ?? NONE,
      isAfterSentenceEnd: (node) => afterSentenceEnd[node] === 1,
      isLast: (node) => hasChildren[node] !== 1,
      depth: (node) => depths[node] ?? 0,
      blocked: (node) => blocked[node] ?? NONE,
      ignored: (node) => ignored[node] ?? NONE,
      bytes: [parents, patterns, depths, afterSentenceEnd, blocked, ignored, hasChildren, slots].reduce(
        (sum, array) => sum + array.byteLength,
        0,
      ),
    };
  }
}
