/** Promises of runs: nothing of a segment is lost or put into another's, and no run is larger than the network reads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reading } from '../../../src/inference/classifier.js';
import { framedTokens, joinParts, runsOf, slicesOf, wholeOf, type Run } from '../../../src/inference/runs.js';

const MAX_TOKENS = 10;
const ROOM = 8;
const SEGMENT = { text: '', start: 5, end: 25 };

/** Pieces of so many ids, which count up. */
function piecesOf(...lengths: number[]): { start: number; end: number; ids: number[] }[] {
  let id = 0;
  return lengths.map((length) => ({ start: 0, end: 1, ids: Array.from({ length }, () => (id += 1)) }));
}

const idsOf = (pieces: readonly { readonly ids: readonly number[] }[]): number[] => pieces.flatMap(({ ids }) => ids);

describe('the runs of a segment', () => {
  it('are one where it fits, with the place of the segment', () => {
    expect(runsOf(piecesOf(3, 5), SEGMENT, MAX_TOKENS)).toEqual([{ start: 5, end: 25, ids: [1, 2, 3, 4, 5, 6, 7, 8] }]);
  });

  it('are one without ids where it has none', () => {
    expect(runsOf([], SEGMENT, MAX_TOKENS)).toEqual([{ start: 5, end: 25, ids: [] }]);
  });

  it('are about as long as each other where it does not fit', () => {
    const runs = runsOf(piecesOf(...Array<number>(9).fill(1)), SEGMENT, MAX_TOKENS);
    expect(runs.map(({ ids }) => ids.length)).toEqual([5, 4]);
    expect(runs.every(({ start, end }) => start === 5 && end === 25)).toBe(true);
  });

  it('cut no piece, lose nothing, and are never larger than the network reads', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: ROOM }), { maxLength: 40 }), (lengths) => {
        const pieces = piecesOf(...lengths);
        const runs = runsOf(pieces, SEGMENT, MAX_TOKENS);
        expect(runs.length).toBeGreaterThan(0);
        expect(idsOf(runs)).toEqual(idsOf(pieces));
        for (const run of runs) expect(framedTokens(run)).toBeLessThanOrEqual(MAX_TOKENS);
        const borders = new Set(pieces.map(({ ids }) => ids.at(-1)));
        for (const { ids } of runs) if (ids.length > 0) expect(borders).toContain(ids.at(-1));
      }),
    );
  });
});

describe('the whole of a text', () => {
  const runs: Run[] = [
    { start: 0, end: 9, ids: [1, 2, 3] },
    { start: 10, end: 20, ids: [4, 5, 6, 7] },
  ];

  it('is all its runs, from the first to the last', () => {
    expect(wholeOf(runs, MAX_TOKENS)).toEqual({ start: 0, end: 20, ids: [1, 2, 3, 4, 5, 6, 7] });
  });

  it('is none where one run has all there is', () => {
    expect(wholeOf(runs.slice(0, 1), MAX_TOKENS)).toBeUndefined();
    expect(wholeOf([], MAX_TOKENS)).toBeUndefined();
  });

  it('is none where it has one token more than the network reads', () => {
    expect(wholeOf(runs, 9)).toBeDefined();
    expect(wholeOf(runs, 8)).toBeUndefined();
  });
});

describe('slices of runs', () => {
  it('have at least one run each, no more tokens than they may unless it is one run, and lose none', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 40 }), (tokens, most) => {
        const slices = slicesOf(tokens, most, (size) => size);
        expect(slices.flat()).toEqual(tokens);
        slices.forEach((slice, index) => {
          const size = slice.reduce((sum, each) => sum + each, 0);
          expect(slice.length).toBeGreaterThan(0);
          if (slice.length > 1) expect(size).toBeLessThanOrEqual(most);
          // As full as can be: the run that comes next did not fit.
          const next = slices[index + 1]?.[0];
          if (next !== undefined) expect(size + next).toBeGreaterThan(most);
        });
      }),
    );
  });
});

describe('parts of a segment', () => {
  const part = (start: number, tokens: number, label: number, sentiment: number): Reading => ({
    start,
    end: start + 10,
    tokens,
    unreadTokens: 1,
    labels: [label, 1 - label],
    sentiments: [sentiment, 1 - sentiment],
  });

  it('become one again: the strongest of a label, the mean by tokens of a sentiment', () => {
    const [joined, ...others] = joinParts([part(0, 30, 0.2, 1), part(0, 10, 0.9, 0)]);
    expect(others).toEqual([]);
    expect(joined).toMatchObject({ start: 0, end: 10, tokens: 40, unreadTokens: 2, labels: [0.9, 0.8] });
    expect(joined?.sentiments[0]).toBeCloseTo(0.75, 12);
  });

  it('have the mean by tokens of a language, where they have languages', () => {
    const [joined] = joinParts([
      { ...part(0, 30, 0.2, 1), languages: [1, 0, 0] },
      { ...part(0, 10, 0.9, 0), languages: [0, 0.5, 0.5] },
    ]);
    expect(joined?.languages).toEqual([0.75, 0.125, 0.125]);
    expect(joinParts([part(0, 30, 0.2, 1), part(0, 10, 0.9, 0)])[0]).not.toHaveProperty('languages');
  });

  it('of different segments stay apart, and keep their order', () => {
    const judged = [part(0, 10, 0.1, 0), part(10, 10, 0.2, 0), part(20, 10, 0.3, 0)];
    expect(joinParts(judged)).toEqual(judged);
  });

  it('are weighed alike however many they are', () => {
    const [joined] = joinParts([part(0, 10, 0, 1), part(0, 10, 0, 0), part(0, 10, 0, 0), part(0, 10, 0, 1)]);
    expect(joined?.sentiments[0]).toBeCloseTo(0.5, 12);
  });

  it('without tokens keep the sentiment of the first', () => {
    expect(joinParts([part(0, 0, 0, 0.5), part(0, 0, 0, 1)])[0]?.sentiments).toEqual([0.5, 0.5]);
  });
});
