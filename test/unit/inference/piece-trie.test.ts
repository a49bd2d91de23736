/** Promises of the trie: it finds the pieces that it was given, with their values, and no other; whatever their number and length. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPieceTrie, NONE, ROOT } from '../../../src/inference/unigram.js';

/** Every piece that a word begins with, by its length. */
function piecesAt(pieces: ReadonlyMap<string, number>, word: string): [length: number, value: number][] {
  const { next, valueAt } = createPieceTrie([...pieces]);
  const found: [number, number][] = [];
  let node = ROOT;
  for (let end = 1; end <= word.length; end += 1) {
    node = next(node, word.charCodeAt(end - 1));
    if (node === NONE) break;
    const value = valueAt(node);
    if (!Number.isNaN(value)) found.push([end, value]);
  }
  return found;
}

it('finds all pieces that a word begins with, and nothing else', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '▁', '你', '😀'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 60 }), word, (listed, sought) => {
      const pieces = new Map(listed.map((piece, index) => [piece, -index]));
      const expected = Array.from({ length: sought.length }, (_, index) => index + 1).flatMap((length) => {
        const value = pieces.get(sought.slice(0, length));
        return value === undefined ? [] : [[length, value]];
      });
      expect(piecesAt(pieces, sought)).toEqual(expected);
    }),
  );
});

it('holds few pieces that are long, with more nodes than there was room for at first', () => {
  const pieces = new Map(['x', 'y', 'z'].map((unit, index) => [unit.repeat(5000), index]));
  for (const [piece, value] of pieces) expect(piecesAt(pieces, `${piece}!`)).toEqual([[5000, value]]);
  expect(piecesAt(pieces, 'x'.repeat(4999))).toEqual([]);
});

it('finds nothing where there is no piece', () => {
  expect(piecesAt(new Map(), 'word')).toEqual([]);
});
