import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { among, hashOf, notAmong, readHashes } from '../../../../benchmarks/robustness/read-comments.js';

const FILES = ['abusive-comments.txt', 'severe-comments.txt'].map(
  (name) => new URL(`../../../../benchmarks/robustness/${name}`, import.meta.url),
);

describe('comments that readers read', () => {
  it('are known by the beginning of their SHA-256', () => {
    // printf 'umbrella' | sha256sum
    expect(hashOf('umbrella')).toBe('2974744982f08b20');
    const hashes = new Set([hashOf('umbrella')]);
    expect(among(['umbrella', 'Umbrella'], hashes)).toEqual(['umbrella']);
    expect(notAmong(['umbrella', 'Umbrella'], hashes)).toEqual(['Umbrella']);
  });

  it.each(FILES)('are listed once each in %s', (file) => {
    const lines = readFileSync(file, 'ascii').trimEnd().split('\n');
    expect(lines.filter((line) => !/^[0-9a-f]{16}$/u.test(line))).toEqual([]);
    expect(readHashes(file).size).toBe(lines.length);
  });
});
