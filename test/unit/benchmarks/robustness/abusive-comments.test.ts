import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashOf, readAbusiveComments, withoutAbusive } from '../../../../benchmarks/robustness/abusive-comments.js';

const COMMITTED = new URL('../../../../benchmarks/robustness/abusive-comments.txt', import.meta.url);

describe('abusive comments', () => {
  it('are known by the beginning of their SHA-256', () => {
    // printf 'umbrella' | sha256sum
    expect(hashOf('umbrella')).toBe('2974744982f08b20');
    expect(withoutAbusive(['umbrella', 'Umbrella'], new Set([hashOf('umbrella')]))).toEqual(['Umbrella']);
  });

  it('are listed once each', () => {
    const lines = readFileSync(COMMITTED, 'ascii').trimEnd().split('\n');
    expect(lines.filter((line) => !/^[0-9a-f]{16}$/u.test(line))).toEqual([]);
    expect(readAbusiveComments(COMMITTED).size).toBe(lines.length);
  });
});
