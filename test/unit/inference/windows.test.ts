import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenizedPiece } from '../../../src/inference/tokenizer.js';
import { FRAME_TOKENS, framedTokens, planWindows, slicesOf, type Window } from '../../../src/inference/windows.js';

const SIZE = { maxTokens: 16, overlapTokens: 4 };
const ROOM = SIZE.maxTokens - FRAME_TOKENS;
const MAX_PIECE_IDS = ROOM - SIZE.overlapTokens;

/** Pieces of the given numbers of ids, one character each with a space between; every id is unique. */
function pieces(idCounts: readonly number[]): TokenizedPiece[] {
  let id = 0;
  return idCounts.map((count, index) => ({
    start: index * 2,
    end: index * 2 + 1,
    ids: Array.from({ length: count }, () => id++),
  }));
}

describe('windows', () => {
  it('of a short text are one, with all of it', () => {
    const [window, ...others] = planWindows(pieces([1, 2, 3]), SIZE);
    expect(others).toEqual([]);
    expect(window).toEqual({ start: 0, end: 5, ids: [0, 1, 2, 3, 4, 5] });
  });

  it('of a text without tokens are one empty window', () => {
    expect(planWindows([], SIZE)).toEqual([{ start: 0, end: 0, ids: [] }]);
  });

  it('of a text that just fits are one', () => {
    expect(planWindows(pieces(Array<number>(ROOM).fill(1)), SIZE)).toHaveLength(1);
    expect(planWindows(pieces(Array<number>(ROOM + 1).fill(1)), SIZE)).toHaveLength(2);
  });

  it('together cover every token, fit the model, and each reach beyond the one before', () => {
    const counts = fc.array(fc.integer({ min: 1, max: MAX_PIECE_IDS }), { maxLength: 200 });
    fc.assert(
      fc.property(counts, (idCounts) => {
        const windows = planWindows(pieces(idCounts), SIZE);
        const covered = new Set(windows.flatMap((window) => window.ids));
        expect(covered.size).toBe(idCounts.reduce((sum, count) => sum + count, 0));
        windows.forEach((window, index) => {
          expect(window.ids.length).toBeLessThanOrEqual(ROOM);
          expect(window.start).toBeGreaterThan(windows[index - 1]?.start ?? -1);
          expect(window.end).toBeGreaterThan(windows[index - 1]?.end ?? -1);
        });
      }),
    );
  });

  it('share at least the overlap with their neighbour when words are shorter than it', () => {
    const counts = fc.array(fc.integer({ min: 1, max: SIZE.overlapTokens }), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(counts, (idCounts) => {
        const windows = planWindows(pieces(idCounts), SIZE);
        windows.slice(1).forEach((window, index) => {
          const shared = window.ids.filter((id) => windows[index]?.ids.includes(id)).length;
          expect(shared).toBeGreaterThanOrEqual(SIZE.overlapTokens);
        });
      }),
    );
  });
});

describe('slices', () => {
  const window = (ids: number): Window => ({ start: 0, end: 1, ids: Array<number>(ids).fill(7) });
  const sizes = (windows: readonly Window[]): number[][] =>
    slicesOf(windows, 128, framedTokens).map((slice) => slice.map(({ ids }) => ids.length));

  it('are portions of one full window, or of several small ones', () => {
    expect(sizes([window(126), window(126), window(20)])).toEqual([[126], [126], [20]]);
    expect(sizes([window(30), window(30), window(30), window(30), window(30)])).toEqual([[30, 30, 30, 30], [30]]);
    expect(sizes([])).toEqual([]);
  });

  it('hold a window that is larger than a portion', () => {
    expect(sizes([window(200), window(1)])).toEqual([[200], [1]]);
  });

  it('keep every window, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 126 })), (counts) => {
        expect(sizes(counts.map(window)).flat()).toEqual(counts);
      }),
    );
  });
});
