/** Promises of cutting two versions of one text at the same places. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenizedPiece } from '../../../src/inference/tokenizer.js';
import { planVersions } from '../../../src/inference/versions.js';
import { FRAME_TOKENS, planWindows } from '../../../src/inference/windows.js';

const SIZE = { maxTokens: 16, overlapTokens: 4 };
const ROOM = SIZE.maxTokens - FRAME_TOKENS;
const MAX_PIECE_IDS = ROOM - SIZE.overlapTokens;

/** A piece for each word: of one id that stands for the word, again and again as often as it has letters. */
function piecesOf(text: string): TokenizedPiece[] {
  return Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    ids: Array.from(word, () => Array.from(word).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0)),
  }));
}

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + (index % 26), 97 + (index % 25)));

/** How many of a version's windows the original does not have. */
function ownWindows(original: string, version: string): number {
  const [first = [], second = []] = planVersions([piecesOf(original), piecesOf(version)], SIZE);
  const known = new Set(first.map(({ ids }) => ids.join()));
  return second.filter(({ ids }) => !known.has(ids.join())).length;
}

describe('versions of a text', () => {
  const words = numbered(200);
  const text = words.join(' ');

  it('have the windows of planWindows where they are one version', () => {
    expect(planVersions([piecesOf(text)], SIZE)).toEqual([planWindows(piecesOf(text), SIZE)]);
    expect(planVersions([[]], SIZE)).toEqual([[{ start: 0, end: 0, ids: [] }]]);
  });

  it.each([
    ['a word is shorter', words.with(100, 'x')],
    ['a word is longer', words.with(100, 'xxxx')],
    ['words are joined', words.toSpliced(100, 4, 'xxxx')],
    ['a word is cut', words.toSpliced(100, 1, 'x', 'y')],
    ['a word is missing', words.toSpliced(100, 1)],
    ['a word comes first', ['x', ...words]],
    ['a word comes last', [...words, 'x']],
    ['the first words are others', words.toSpliced(0, 2, 'x')],
    ['the last words are others', words.toSpliced(198, 2, 'x')],
  ])('have few windows of their own where %s', (_, version) => {
    const own = ownWindows(text, version.join(' '));
    expect(own).toBeGreaterThan(0);
    // Neighbours overlap: a word stands in two or three windows of five or more, and an insertion can make one of these too long.
    expect(own).toBeLessThanOrEqual(4);
    expect(planWindows(piecesOf(text), SIZE).length).toBeGreaterThan(35);
  });

  it('are cut on their own where they differ for long', () => {
    const version = words.toSpliced(100, 40, ...Array.from({ length: 40 }, () => 'xyz')).join(' ');
    const [, second] = planVersions([piecesOf(text), piecesOf(version)], SIZE);
    expect(second).toEqual(planWindows(piecesOf(version), SIZE));
  });

  it('are cut on their own where the original has few windows', () => {
    const short = words.slice(0, 20);
    const version = piecesOf(['x', ...short].join(' '));
    const [first, second] = planVersions([piecesOf(short.join(' ')), version], SIZE);
    expect(first).toHaveLength(4);
    expect(second).toEqual(planWindows(version, SIZE));
    expect(second?.[1]?.ids).not.toEqual(first?.[1]?.ids);
  });

  it('have windows that cover every token, fit the model, and each reach beyond the one before', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: MAX_PIECE_IDS });
    const edit = fc.record({ at: fc.nat(150), removed: fc.nat(6), inserted: fc.array(word, { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 150 }), fc.array(edit, { maxLength: 8 }), (original, edits) => {
        const version = edits.reduce(
          (all, { at, removed, inserted }) => all.toSpliced(at, removed, ...inserted),
          original,
        );
        const pieces = piecesOf(version.join(' '));
        const [first = [], second = []] = planVersions([piecesOf(original.join(' ')), pieces], SIZE);
        expect(first).toEqual(planWindows(piecesOf(original.join(' ')), SIZE));
        for (const piece of pieces) {
          expect(second.some(({ start, end }) => start <= piece.start && piece.end <= end)).toBe(true);
        }
        second.forEach((window, index) => {
          expect(window.ids.length).toBeLessThanOrEqual(ROOM);
          expect(window.ids).toEqual(
            pieces.filter(({ start, end }) => start >= window.start && end <= window.end).flatMap(({ ids }) => ids),
          );
          expect(window.end).toBeGreaterThan(second[index - 1]?.end ?? -1);
        });
      }),
      { numRuns: 500 },
    );
  });
});
