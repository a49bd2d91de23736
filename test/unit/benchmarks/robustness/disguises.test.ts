import { describe, expect, it } from 'vitest';
import { disguised, DISGUISES } from '../../../../benchmarks/robustness/disguises.js';
import { createRandom, sample } from '../../../../benchmarks/robustness/random.js';

const TEXT = 'Nobody here would ever miss such a worthless contribution, believe me.';

describe('a disguise', () => {
  it.each(DISGUISES)('$name changes the longest word and keeps short ones', (disguise) => {
    const result = disguised(TEXT, disguise, createRandom(7));
    expect(result).not.toBe(TEXT);
    expect(result).not.toContain('contribution');
    expect(result).toContain(' a ');
    expect(result.endsWith(' me.')).toBe(true);
  });

  it.each(DISGUISES)('$name gives the same text for the same seed', (disguise) => {
    expect(disguised(TEXT, disguise, createRandom(7))).toBe(disguised(TEXT, disguise, createRandom(7)));
  });
});

describe('the sample', () => {
  it('holds different items, as many as asked for or as there are', () => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    expect(new Set(sample(items, 8, createRandom(1))).size).toBe(8);
    expect(sample(items, 50, createRandom(1)).sort((a, b) => a - b)).toEqual(items);
  });

  it('gives every item about the same chance', () => {
    const random = createRandom(3);
    const counts = new Map<string, number>();
    for (let round = 0; round < 3000; round += 1) {
      for (const item of sample(['a', 'b', 'c'], 1, random)) counts.set(item, (counts.get(item) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});
