/** Promises of sequences: nothing of a segment is lost or put into another's, and no sequence is larger than the network reads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Prediction } from '../../../src/inference/classifier.js';
import {
  framedTokens,
  joinChunks,
  sequencesOf,
  groupsOf,
  wholeOf,
  type Sequence,
} from '../../../src/inference/sequences.js';

const MAX_TOKENS = 10;
const ROOM = 8;
const SEGMENT = { segment: 3, start: 5, end: 25 };

/** Pieces of so many ids, which count up. */
function piecesOf(...lengths: number[]): { start: number; end: number; ids: number[] }[] {
  let id = 0;
  return lengths.map((length) => ({ start: 0, end: 1, ids: Array.from({ length }, () => (id += 1)) }));
}

const idsOf = (pieces: readonly { readonly ids: Iterable<number> }[]): number[] =>
  pieces.flatMap(({ ids }) => [...ids]);

describe('the sequences of a segment', () => {
  it('are one where it fits, with the place of the segment', () => {
    expect(sequencesOf(piecesOf(3, 5), SEGMENT, MAX_TOKENS)).toEqual([
      { ...SEGMENT, ids: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
    ]);
  });

  it('are one without ids where it has none', () => {
    expect(sequencesOf([], SEGMENT, MAX_TOKENS)).toEqual([{ ...SEGMENT, ids: new Int32Array() }]);
  });

  it('are about as long as each other where it does not fit', () => {
    const sequences = sequencesOf(piecesOf(...Array<number>(9).fill(1)), SEGMENT, MAX_TOKENS);
    expect(sequences.map(({ ids }) => ids.length)).toEqual([5, 4]);
    expect(sequences.every(({ start, end }) => start === 5 && end === 25)).toBe(true);
  });

  it('cut no piece, lose nothing, and are never larger than the network reads', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: ROOM }), { maxLength: 40 }), (lengths) => {
        const pieces = piecesOf(...lengths);
        const sequences = sequencesOf(pieces, SEGMENT, MAX_TOKENS);
        expect(sequences.length).toBeGreaterThan(0);
        expect(idsOf(sequences)).toEqual(idsOf(pieces));
        for (const sequence of sequences) expect(framedTokens(sequence)).toBeLessThanOrEqual(MAX_TOKENS);
        const borders = new Set(pieces.map(({ ids }) => ids.at(-1)));
        for (const { ids } of sequences) if (ids.length > 0) expect(borders).toContain(ids.at(-1));
      }),
    );
  });
});

describe('the whole of a text', () => {
  const sequences: Sequence[] = [
    { segment: 0, start: 0, end: 9, ids: Int32Array.of(1, 2, 3) },
    { segment: 1, start: 10, end: 20, ids: Int32Array.of(4, 5, 6, 7) },
  ];

  it('is all its sequences, from the first to the last', () => {
    expect(wholeOf(sequences, MAX_TOKENS)).toEqual({
      segment: 0,
      start: 0,
      end: 20,
      ids: Int32Array.of(1, 2, 3, 4, 5, 6, 7),
    });
  });

  it('is none where one sequence has all there is', () => {
    expect(wholeOf(sequences.slice(0, 1), MAX_TOKENS)).toBeUndefined();
    expect(wholeOf([], MAX_TOKENS)).toBeUndefined();
  });

  it('is none where it has one token more than the network reads', () => {
    expect(wholeOf(sequences, 9)).toBeDefined();
    expect(wholeOf(sequences, 8)).toBeUndefined();
  });
});

describe('groups of sequences', () => {
  it('have at least one sequence each, no more tokens than they may unless it is one sequence, and lose none', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 40 }), (tokens, most) => {
        const groups = groupsOf(tokens, most, (size) => size);
        expect(groups.flat()).toEqual(tokens);
        groups.forEach((group, index) => {
          const size = group.reduce((sum, each) => sum + each, 0);
          expect(group.length).toBeGreaterThan(0);
          if (group.length > 1) expect(size).toBeLessThanOrEqual(most);
          // As full as can be: the sequence that comes next did not fit.
          const next = groups[index + 1]?.[0];
          if (next !== undefined) expect(size + next).toBeGreaterThan(most);
        });
      }),
    );
  });
});

describe('chunks of a segment', () => {
  const chunk = (segment: number, tokens: number, label: number, sentiment: number): Prediction => ({
    segment,
    start: 0,
    end: 10,
    tokens,
    unreadTokens: 1,
    labels: [label, 1 - label],
    sentiments: [sentiment, 1 - sentiment],
  });

  it('become one again: the strongest of a label, the mean by tokens of a sentiment', () => {
    const [joined, ...others] = joinChunks([chunk(0, 30, 0.2, 1), chunk(0, 10, 0.9, 0)]);
    expect(others).toEqual([]);
    expect(joined).toMatchObject({ start: 0, end: 10, tokens: 40, unreadTokens: 2, labels: [0.9, 0.8] });
    expect(joined?.sentiments[0]).toBeCloseTo(0.75, 12);
  });

  it('have the mean by tokens of a language, where they have languages', () => {
    const [joined] = joinChunks([
      { ...chunk(0, 30, 0.2, 1), languages: [1, 0, 0] },
      { ...chunk(0, 10, 0.9, 0), languages: [0, 0.5, 0.5] },
    ]);
    expect(joined?.languages).toEqual([0.75, 0.125, 0.125]);
    expect(joinChunks([chunk(0, 30, 0.2, 1), chunk(0, 10, 0.9, 0)])[0]).not.toHaveProperty('languages');
  });

  it('of different segments stay apart, also of two that stand at one place, and keep their order', () => {
    const judged = [chunk(0, 10, 0.1, 0), chunk(1, 10, 0.2, 0), chunk(2, 10, 0.3, 0)];
    expect(joinChunks(judged)).toEqual(judged);
  });

  it('are weighed alike however many they are', () => {
    const [joined] = joinChunks([chunk(0, 10, 0, 1), chunk(0, 10, 0, 0), chunk(0, 10, 0, 0), chunk(0, 10, 0, 1)]);
    expect(joined?.sentiments[0]).toBeCloseTo(0.5, 12);
  });

  it('without tokens keep the sentiment of the first', () => {
    expect(joinChunks([chunk(0, 0, 0, 0.5), chunk(0, 0, 0, 1)])[0]?.sentiments).toEqual([0.5, 0.5]);
  });
});
