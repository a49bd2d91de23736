/** Promises of the key format: keys look as documented, mistyped ones are refused, hashes are plain SHA-256. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeySecret, hashKey, isWellFormedKey, randomBase62 } from '../../../src/keys/key-format.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const environments = fc.constantFrom('live', 'test');
const keys = environments.map((environment) => createKeySecret(environment).key);
const positions = fc.nat({ max: 'sk_live_'.length + 38 - 1 });

describe('key format', () => {
  it('makes keys of the documented shape, well-formed and never the same twice', () => {
    fc.assert(
      fc.property(environments, (environment) => {
        const { key, hash, start } = createKeySecret(environment);
        expect(key).toMatch(new RegExp(`^sk_${environment}_[0-9A-Za-z]{38}$`));
        expect(isWellFormedKey(key)).toBe(true);
        expect(key.startsWith(start)).toBe(true);
        expect(start).toHaveLength(12);
        expect(hash).toBe(hashKey(key));
      }),
    );
    expect(new Set(Array.from({ length: 1000 }, () => createKeySecret('live').key)).size).toBe(1000);
  });

  it('ends in the CRC-32 of all that precedes it, in base62', () => {
    const { key } = createKeySecret('test');
    const value = Array.from(key.slice(-6)).reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
  });

  it('refuses a key with any one character changed', () => {
    fc.assert(
      fc.property(
        keys,
        positions,
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        (key, position, other) => {
          fc.pre(key[position] !== other);
          expect(isWellFormedKey(key.slice(0, position) + other + key.slice(position + 1))).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
    const { key } = createKeySecret('live');
    for (let position = 0; position < key.length; position += 1) {
      for (const other of BASE62.replace(key[position] ?? '', '')) {
        expect(isWellFormedKey(key.slice(0, position) + other + key.slice(position + 1))).toBe(false);
      }
    }
  });

  it('refuses a key with any two neighbours swapped', () => {
    fc.assert(
      fc.property(keys, positions, (key, position) => {
        const [before, pair, after] = [
          key.slice(0, position),
          key.slice(position, position + 2),
          key.slice(position + 2),
        ];
        const swapped = pair.slice(1) + pair.slice(0, 1);
        fc.pre(swapped !== pair);
        expect(isWellFormedKey(before + swapped + after)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses everything else, however long, without throwing', () => {
    const { key } = createKeySecret('live');
    for (const other of ['', 'sk_' + 'live_', key + 'a', key.slice(1), ` ${key}`, `${key}\n`, 'é'.repeat(46)]) {
      expect(isWellFormedKey(other)).toBe(false);
    }
    fc.assert(fc.property(fc.string({ maxLength: 100_000 }), (text) => !isWellFormedKey(text)));
  });

  it('hashes with SHA-256', () => {
    expect(hashKey('abc')).toBe(createHash('sha256').update('abc').digest('hex'));
  });

  it('uses all 62 characters equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1,000 expected, standard deviation 32. `byte % 62` would give eight characters about 1,210 each.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(190);
  });
});
