import { describe, expect, it } from 'vitest';
import { disguised, DISGUISES } from '../../../../benchmarks/robustness/disguises.js';
import { createRandom } from '../../../../benchmarks/robustness/random.js';

const TEXT = 'Nobody here would ever miss such a worthless contribution, believe me.';

describe('a disguise', () => {
  it.each(DISGUISES)('$name changes the longest word and keeps short ones', (disguise) => {
    const result = disguised(TEXT, disguise, createRandom(7));
    expect(result).not.toBe(TEXT);
    expect(result).not.toContain('contribution');
    expect(result).toContain(' a ');
    expect(result.endsWith(' me.')).toBe(true);
  });
});
