/** Promises of a file of many keys: reading and writing it holds nobody up, and a revocation counts all the same. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeySecret } from '../../../src/keys/key-format.js';
import { createKeyStore } from '../../../src/keys/key-store.js';
import { createKeyVerifier } from '../../../src/keys/key-verifier.js';
import { NO_KEYS, parseKeyFile } from '../../../src/keys/parsed-key-file.js';
import { atOnce } from '../../../src/keys/slices.js';
import { freshKeyFile, REQUEST } from './key-file-folder.js';

const MANY = 20_000;

function recordOf(index: number, hash: string, start: string) {
  return {
    id: `key_${index}`,
    project: `project "${index % 7}" {[`,
    name: 'backend',
    environment: 'live',
    start,
    hash,
    createdAt: '2030-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    rateLimitPerMinute: null,
  };
}

function manyKeys() {
  const file = freshKeyFile();
  const secrets = Array.from({ length: MANY }, () => createKeySecret('live'));
  const keys = secrets.map(({ hash, start }, index) => recordOf(index, hash, start));
  writeFileSync(file, JSON.stringify({ version: 1, keys }, null, 2));
  return { file, keyAt: (index: number) => secrets[index]?.key, verifier: createKeyVerifier({ file }) };
}

/** How often others had their turn on the thread while `work` went on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const take = (): void => {
    turns += 1;
    next = setImmediate(take);
  };
  next = setImmediate(take);
  await work();
  clearImmediate(next);
  return turns;
}

describe('a file of many keys', () => {
  it('is read, changed and written in slices between which others have their turn', async () => {
    const { file, keyAt, verifier } = manyKeys();
    expect(await turnsDuring(async () => verifier.verify(keyAt(5)))).toBeGreaterThan(10);
    const store = createKeyStore({ file });
    expect(await turnsDuring(() => store.revoke('key_5'))).toBeGreaterThan(20);
    expect(await verifier.verify(keyAt(5))).toEqual({ status: 'revoked' });
    const created = await store.create(REQUEST);
    for (const key of [keyAt(6), created.key]) expect(await verifier.verify(key)).toMatchObject({ status: 'valid' });
  }, 60_000);

  it('writes the use of many keys in slices', async () => {
    const { keyAt, verifier } = manyKeys();
    for (let index = 0; index < MANY; index += 1) await verifier.verify(keyAt(index));
    await verifier.flushUsage();
    await verifier.verify(keyAt(0));
    expect(await turnsDuring(() => verifier.flushUsage())).toBeGreaterThan(5);
  }, 60_000);

  it('refuses a key that was revoked while it is being read, from the first request after the revocation', async () => {
    const { file, keyAt, verifier } = manyKeys();
    await verifier.verify(keyAt(0));
    const whole = readFileSync(file, 'utf8');
    for (const index of [3, MANY - 1]) {
      const revoke = (id: string) => {
        const revoked = new RegExp(`("id": "${id}",[^}]*?"revokedAt": )null`);
        writeFileSync(`${file}.new`, whole.replace(revoked, '$1"2030-01-02T00:00:00Z"'));
        renameSync(`${file}.new`, file);
      };
      // The reading of this change is under way when the next one is made.
      revoke('key_1');
      const during = verifier.verify(keyAt(index));
      await new Promise((resolve) => setImmediate(resolve));
      revoke(`key_${index}`);
      expect(await verifier.verify(keyAt(index))).toEqual({ status: 'revoked' });
      expect(['valid', 'revoked']).toContain((await during).status);
    }
  }, 60_000);

  it('lets nobody in once it is damaged', async () => {
    const { file, keyAt, verifier } = manyKeys();
    await verifier.verify(keyAt(0));
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3));
    expect(await verifier.verify(keyAt(0))).toMatchObject({ status: 'unavailable' });
    expect(verifier.isAvailable()).toBe(false);
  }, 60_000);
});

describe('reading with what was read before', () => {
  const records = Array.from({ length: 12 }, (_, index) =>
    recordOf(index, index.toString(16).padStart(64, '0'), 'sk_live_abcd'),
  );
  const file = fc
    .tuple(
      fc.subarray(records),
      fc.array(fc.record({ at: fc.nat(11), name: fc.string({ unit: 'grapheme', minLength: 1 }) })),
      fc.constantFrom(0, 2, '\t'),
    )
    .map(([kept, changes, indent]) => {
      const keys = kept.map((record, index) => {
        const change = changes.find(({ at }) => at === index);
        return change === undefined ? record : { ...record, scopes: [change.name, { '}': ['"', '\\'] }] };
      });
      return Buffer.from(JSON.stringify({ note: '"keys": [', version: 1, keys, owner: { keys: [1] } }, null, indent));
    });

  it('gives what JSON.parse gives, whatever was added, removed or changed', () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 5 }), (texts) => {
        let parsed = NO_KEYS;
        for (const bytes of texts) {
          parsed = atOnce(parseKeyFile('keys.json', bytes, parsed));
          expect(parsed.contents).toEqual(JSON.parse(bytes.toString()));
          for (const [index, { hash }] of parsed.contents.keys.entries())
            expect(parsed.indexByHash.get(hash)).toBe(index);
        }
      }),
    );
  });

  it('refuses what it would refuse alone', () => {
    const text = JSON.stringify({ version: 1, keys: records });
    const before = atOnce(parseKeyFile('keys.json', Buffer.from(text)));
    const twice = JSON.stringify({ version: 1, keys: [...records, records[0]] });
    for (const damage of [
      twice,
      text.slice(0, -1),
      `${text}]`,
      text.replace('},{', '}{'),
      text.replace('"version":1', '"version":2'),
    ]) {
      expect(() => atOnce(parseKeyFile('keys.json', Buffer.from(damage), before))).toThrow(/damaged|version 1/);
    }
  });

  it('of a list without keys in it is the empty list', () => {
    expect(atOnce(parseKeyFile('keys.json', Buffer.from('{"version":1,"keys":[ ]}'))).contents).toEqual({
      version: 1,
      keys: [],
    });
  });
});
