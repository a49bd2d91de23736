/** Promises of records that are taken over: never one that changed, and the same object as long as it did not. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createKnownRecords } from '../../../src/storage/known-records.js';

const recordSchema = z.looseObject({ id: z.string(), limit: z.int().nullable(), terms: z.array(z.string()) });
const RECORD = { id: 'a', limit: null, terms: ['x', 'y'], later: { deep: [1] } };
const OTHER = { id: 'b', limit: 1, terms: [] };

function reader() {
  let checks = 0;
  const known = createKnownRecords(recordSchema.refine(() => (checks += 1) > 0));
  const list = z.array(known.schema);
  return {
    checks: () => checks,
    read: (content: unknown) => {
      known.begin();
      return list.safeParse(JSON.parse(JSON.stringify(content)));
    },
  };
}

describe('a record of a reading', () => {
  it('is the same object as in the reading before where nothing in it changed, and is not checked again', () => {
    const { read, checks } = reader();
    const before = read([RECORD, OTHER]).data;
    const after = read([RECORD, { ...OTHER, limit: 2 }, OTHER]).data;
    expect(after).toEqual([RECORD, { ...OTHER, limit: 2 }, OTHER]);
    expect(after?.[0]).toBe(before?.[0]);
    expect(checks()).toBe(4);
  });

  it.each([
    [{ ...RECORD, limit: 0 }],
    [{ ...RECORD, terms: ['x'] }],
    [{ ...RECORD, terms: ['x', 'y', 'z'] }],
    [{ ...RECORD, terms: ['y', 'x'] }],
    [{ ...RECORD, later: { deep: [2] } }],
    [{ ...RECORD, later: { deep: [1], more: true } }],
    [{ ...RECORD, later: { other: [1] } }],
    [{ ...RECORD, later: [[1]] }],
    [{ ...RECORD, later: null }],
    [{ ...RECORD, later: undefined }],
  ])('is read as %j where that is what it says now', (changed) => {
    const { read } = reader();
    read([RECORD, OTHER]);
    expect(read([changed, OTHER]).data).toEqual(JSON.parse(JSON.stringify([changed, OTHER])));
  });

  it.each([
    [{ ...RECORD, limit: '1' }, ['limit']],
    [{ ...RECORD, terms: { 0: 'x', 1: 'y' } }, ['terms']],
    [null, []],
    [[], []],
  ])('is refused with its place where it is %j now, and as often as it is read', (wrong, path) => {
    const { read } = reader();
    read([OTHER, RECORD]);
    for (let time = 0; time < 2; time += 1) {
      expect(read([OTHER, wrong]).error?.issues[0]?.path).toEqual([1, ...path]);
    }
    expect(read([OTHER, RECORD]).data).toEqual([OTHER, RECORD]);
  });
});
