/**
 * Words as a trie in typed arrays, for words that are only partly known and for letters that were run together. Nodes stand in breadth-first order,
 * so that the children of one are neighbours. Knows no language.
 */

/** For each position of a word the letters that may stand there, in lower case, or ANY_LETTER. */
export type WordPattern = readonly string[];
export const ANY_LETTER = '*';

export interface WordTrie {
  /** All that stand in words. */
  readonly letters: ReadonlySet<string>;
  /** In the list that the trie was made of, -1 where it has no such word. */
  readonly indexOf: (word: string) => number;
  /** Calls back with each word of the list that begins at `start` of the text, in lower case. */
  readonly wordsAt: (text: string, start: number, found: (length: number, index: number) => void) => void;
  /** Of the words that fit and are accepted the one of the lowest rank, -1 where there is none. */
  readonly match: (pattern: WordPattern, accepts: (index: number) => boolean) => number;
}

/**
 * @param words in lower case, each once, in the order of their UTF-16 units
 * @param ranks of each of the words
 */
export function createWordTrie(words: readonly string[], ranks: ArrayLike<number>): WordTrie {
  const most = words.reduce((sum, { length }) => sum + length, 1);
  let units = new Uint16Array(most);
  let children = new Uint32Array(most + 1);
  let indexes = new Int32Array(most).fill(-1);
  // Of each node, the words of `words` that begin with its letters.
  const first = new Uint32Array(most);
  const last = new Uint32Array(most);
  last[0] = words.length;
  let made = 1;
  let levelEnd = 1;
  let depth = 0;
  for (let node = 0; node < made; node += 1) {
    if (node === levelEnd) {
      levelEnd = made;
      depth += 1;
    }
    children[node] = made;
    let at = first[node] ?? 0;
    const end = last[node] ?? 0;
    if (at < end && words[at]?.length === depth) {
      indexes[node] = at;
      at += 1;
    }
    while (at < end) {
      const unit = words[at]?.charCodeAt(depth) ?? 0;
      first[made] = at;
      while (at < end && words[at]?.charCodeAt(depth) === unit) at += 1;
      last[made] = at;
      units[made] = unit;
      made += 1;
    }
  }
  children[made] = made;
  units = units.slice(0, made);
  children = children.slice(0, made + 1);
  indexes = indexes.slice(0, made);
  const letters = new Set(Array.from(new Set(units.subarray(1)), (unit) => String.fromCharCode(unit)));

  function child(parent: number, unit: number): number {
    let low = children[parent] ?? 0;
    let high = children[parent + 1] ?? 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((units[middle] ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low < (children[parent + 1] ?? 0) && units[low] === unit ? low : -1;
  }

  function indexOf(word: string): number {
    let at = 0;
    for (let position = 0; position < word.length; position += 1) {
      at = child(at, word.charCodeAt(position));
      if (at < 0) return -1;
    }
    return indexes[at] ?? -1;
  }

  function wordsAt(text: string, start: number, found: (length: number, index: number) => void): void {
    let at = 0;
    for (let end = start; end < text.length; end += 1) {
      at = child(at, text.charCodeAt(end));
      if (at < 0) return;
      const index = indexes[at] ?? -1;
      if (index >= 0) found(end + 1 - start, index);
    }
  }

  function match(pattern: WordPattern, accepts: (index: number) => boolean): number {
    let best = -1;
    const visit = (parent: number, position: number): void => {
      if (position === pattern.length) {
        const index = indexes[parent] ?? -1;
        if (index >= 0 && (ranks[index] ?? Infinity) < (ranks[best] ?? Infinity) && accepts(index)) best = index;
        return;
      }
      const allowed = pattern[position] ?? '';
      if (allowed === ANY_LETTER) {
        for (let at = children[parent] ?? 0; at < (children[parent + 1] ?? 0); at += 1) visit(at, position + 1);
        return;
      }
      for (let letter = 0; letter < allowed.length; letter += 1) {
        const at = child(parent, allowed.charCodeAt(letter));
        if (at >= 0) visit(at, position + 1);
      }
    };
    if (pattern.length > 0) visit(0, 0);
    return best;
  }

  return { letters, indexOf, wordsAt, match };
}
