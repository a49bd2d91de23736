import { describe, expect, it } from 'vitest';
import { createDecisionIds, DECISION_ID, decisionIdAt, firstIdAt } from '../../../src/decisions/decision-record.js';

describe('the id of a decision', () => {
  it('is 26 characters, another one each time', () => {
    const ids = Array.from({ length: 1000 }, () => decisionIdAt(1_795_000_000_000));
    expect(ids.every((id) => DECISION_ID.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });

  it('stands in the order in which they were given, within a millisecond as well', () => {
    const idAt = createDecisionIds();
    const ids = Array.from({ length: 2000 }, (_, index) => idAt(1_795_000_000_000 + Math.floor(index / 1000)));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('stands in the order of time, at the edges as well', () => {
    const times = [0, 1, 31, 32, 1023, 1024, 1_795_000_000_000, 1_795_000_000_001, 2 ** 48];
    const ids = times.map((at) => decisionIdAt(at));
    expect(ids.toSorted()).toEqual(ids);
    for (const [index, at] of times.entries()) {
      expect(firstIdAt(at) <= (ids[index] ?? '')).toBe(true);
      expect((ids[index] ?? '') < firstIdAt(at + 1)).toBe(true);
    }
  });
});
