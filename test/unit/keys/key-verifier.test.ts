/** Promises of the verifier: who is let in at any moment, and that it fails closed. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeySecret } from '../../../src/keys/key-format.js';
import type { KeyReload } from '../../../src/keys/key-list.js';
import { createKeyStore } from '../../../src/keys/key-store.js';
import { createKeyVerifier } from '../../../src/keys/key-verifier.js';
import { DAY_MS, freshKeyFile, REQUEST, standingClock } from './key-file-folder.js';

function setUp() {
  const file = freshKeyFile();
  const clock = standingClock();
  const reloads: KeyReload[] = [];
  const verifier = createKeyVerifier({ file, now: clock.now, onReload: (reload) => reloads.push(reload) });
  return { file, clock, reloads, verifier, store: createKeyStore({ file, now: clock.now }) };
}

describe('key verifier', () => {
  it('lets an active key in and says whose it is, without its hash', async () => {
    const { store, verifier } = setUp();
    const { key, record } = await store.create({ ...REQUEST, environment: 'test', rateLimitPerMinute: 5 });
    expect(await verifier.verify(key)).toEqual({
      status: 'valid',
      key: {
        id: record.id,
        project: 'shop',
        projectId: expect.stringMatching(/^prj_/) as string,
        environment: 'test',
        rateLimitPerMinute: 5,
      },
    });
  });

  it('tells missing, malformed and unknown keys apart', async () => {
    const { store, verifier } = setUp();
    await store.create(REQUEST);
    expect(await verifier.verify(undefined)).toEqual({ status: 'missing' });
    expect(await verifier.verify('')).toEqual({ status: 'missing' });
    expect(await verifier.verify('sk_' + 'live_' + 'a'.repeat(38))).toEqual({ status: 'malformed' });
    expect(await verifier.verify(createKeySecret('live').key)).toEqual({ status: 'unknown' });
  });

  it('knows no key while there is no file, and all of them once there is', async () => {
    const { store, verifier, file } = setUp();
    expect(await verifier.verify(createKeySecret('live').key)).toEqual({ status: 'unknown' });
    const { key } = await store.create(REQUEST);
    expect((await verifier.verify(key)).status).toBe('valid');
    rmSync(file);
    expect(await verifier.verify(key)).toEqual({ status: 'unknown' });
    expect(verifier.isAvailable()).toBe(true);
  });

  it('refuses a revoked key in every verifier from the first call after the revocation', async () => {
    const { store, file } = setUp();
    const verifiers = [createKeyVerifier({ file }), createKeyVerifier({ file })];
    for (let round = 0; round < 10; round += 1) {
      const { key, record } = await store.create(REQUEST);
      expect(await Promise.all(verifiers.map(async (each) => (await each.verify(key)).status))).toEqual([
        'valid',
        'valid',
      ]);
      await store.revoke(record.id);
      expect(await Promise.all(verifiers.map(async (each) => (await each.verify(key)).status))).toEqual([
        'revoked',
        'revoked',
      ]);
    }
  });

  it('refuses a revoked key also when the clock is set back to before the revocation', async () => {
    const { store, verifier, clock } = setUp();
    const { key, record } = await store.create(REQUEST);
    clock.advance(DAY_MS);
    await store.revoke(record.id);
    for (const days of [-1, -2, -1000]) {
      clock.advance(days * DAY_MS);
      expect(await verifier.verify(key)).toEqual({ status: 'revoked' });
    }
  });

  it('refuses a key from the very millisecond in which it expires', async () => {
    const { store, verifier, clock } = setUp();
    const { key } = await store.create({ ...REQUEST, expiresInMs: DAY_MS });
    clock.advance(DAY_MS - 1);
    expect((await verifier.verify(key)).status).toBe('valid');
    clock.advance(1);
    expect(await verifier.verify(key)).toEqual({ status: 'expired' });
  });

  it('lets both keys in during the overlap of a rotation, and then only the new one', async () => {
    const { store, verifier, clock } = setUp();
    const old = await store.create(REQUEST);
    const { key } = await store.rotate(old.record.id, { overlapMs: DAY_MS });
    expect([(await verifier.verify(old.key)).status, (await verifier.verify(key)).status]).toEqual(['valid', 'valid']);
    clock.advance(DAY_MS);
    expect([(await verifier.verify(old.key)).status, (await verifier.verify(key)).status]).toEqual([
      'expired',
      'valid',
    ]);
  });

  it('lets nobody in while the file is damaged, and recovers by itself when it is whole', async () => {
    const { store, verifier, file, reloads } = setUp();
    const { key } = await store.create(REQUEST);
    expect((await verifier.verify(key)).status).toBe('valid');
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 20);
    for (let call = 0; call < 3; call += 1) {
      expect(await verifier.verify(key)).toMatchObject({
        status: 'unavailable',
        reason: expect.stringContaining(file) as string,
      });
    }
    expect(verifier.isAvailable()).toBe(false);
    await expect(verifier.countActive()).rejects.toThrow('damaged');
    writeFileSync(file, whole);
    expect((await verifier.verify(key)).status).toBe('valid');
    expect(await verifier.countActive()).toBe(1);
    expect(reloads.map(({ status }) => status)).toEqual(['loaded', 'unavailable', 'loaded']);
  });

  it('lets nobody in while the file cannot be read, and recovers by itself', async () => {
    const { store, verifier, file, reloads } = setUp();
    const { key } = await store.create(REQUEST);
    const text = readFileSync(file);
    rmSync(file);
    // A link to itself: the system refuses to follow it, for root too.
    symlinkSync(file, file);
    expect(await verifier.verify(key)).toMatchObject({
      status: 'unavailable',
      reason: expect.stringContaining('ELOOP') as string,
    });
    expect((await verifier.verify(key)).status).toBe('unavailable');
    rmSync(file);
    writeFileSync(file, text);
    expect((await verifier.verify(key)).status).toBe('valid');
    expect(reloads.map(({ status }) => status)).toEqual(['unavailable', 'loaded']);
  });

  it('says why the file cannot be read that it has read before', async () => {
    const { store, verifier, file } = setUp();
    const { key } = await store.create(REQUEST);
    expect((await verifier.verify(key)).status).toBe('valid');
    rmSync(file);
    symlinkSync(file, file);
    expect(await verifier.verify(key)).toEqual({ status: 'unavailable', reason: `Cannot read ${file} (ELOOP).` });
  });

  it('reads the file again only when it changed', async () => {
    const { store, verifier, reloads } = setUp();
    const { key } = await store.create(REQUEST);
    for (let call = 0; call < 5; call += 1) await verifier.verify(key);
    expect(reloads).toEqual([{ status: 'loaded', keyCount: 1 }]);
    await store.create(REQUEST);
    await verifier.verify(key);
    expect(reloads).toEqual([
      { status: 'loaded', keyCount: 1 },
      { status: 'loaded', keyCount: 2 },
    ]);
  });
});

describe('time of last use', () => {
  it('is written by a flush and not by a request', async () => {
    const { store, verifier, clock } = setUp();
    const { key } = await store.create(REQUEST);
    clock.advance(5000);
    await verifier.verify(key);
    expect(store.list()[0]?.lastUsedAt).toBeNull();
    await verifier.flushUsage();
    expect(store.list()[0]?.lastUsedAt).toBe('2030-01-01T00:00:05.000Z');
  });

  it('is written of the keys that were used, and of no others', async () => {
    const { store, verifier } = setUp();
    await store.create(REQUEST);
    const { key } = await store.create(REQUEST);
    await verifier.verify(key);
    await verifier.flushUsage();
    expect(store.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, '2030-01-01T00:00:00.000Z']);
  });

  it('is written when the verifier closes', async () => {
    const { store, verifier } = setUp();
    const { key } = await store.create(REQUEST);
    await verifier.verify(key);
    await verifier.close();
    expect(store.list()[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
  });

  it('does not count refused requests', async () => {
    const { store, verifier } = setUp();
    const { key, record } = await store.create(REQUEST);
    await store.revoke(record.id);
    await verifier.verify(key);
    await verifier.flushUsage();
    expect(store.list()[0]?.lastUsedAt).toBeNull();
  });

  it('changes nothing else: a key revoked or removed since stays so', async () => {
    const { store, verifier, file } = setUp();
    const [revoked, removed] = [await store.create(REQUEST), await store.create(REQUEST)];
    await verifier.verify(revoked.key);
    await verifier.verify(removed.key);
    const after = await store.revoke(revoked.record.id);
    writeFileSync(file, JSON.stringify({ version: 1, keys: [after] }));
    await verifier.flushUsage();
    expect(store.list()).toEqual([{ ...after, lastUsedAt: '2030-01-01T00:00:00.000Z' }]);
  });

  it('is in a file of its own: use changes nothing that a server must read anew', async () => {
    const { store, verifier, file } = setUp();
    const { key } = await store.create(REQUEST);
    const before = statSync(file).mtimeMs;
    await verifier.verify(key);
    await verifier.flushUsage();
    expect(statSync(file).mtimeMs).toBe(before);
    expect(store.list()[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
  });

  it('is the later of what the key file of an earlier version and the file of uses say', async () => {
    const { store, verifier, file, clock } = setUp();
    const [one, two] = [await store.create(REQUEST), await store.create(REQUEST)];
    await verifier.verify(one.key);
    await verifier.verify(two.key);
    await verifier.flushUsage();
    clock.advance(DAY_MS);
    const [early, late] = ['2029-12-31T00:00:00.000Z', '2030-01-01T12:00:00.000Z'];
    const keys = [
      { ...one.record, lastUsedAt: early },
      { ...two.record, lastUsedAt: late },
    ];
    writeFileSync(file, JSON.stringify({ version: 1, keys }));
    expect(store.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual(['2030-01-01T00:00:00.000Z', late]);
  });

  it('only moves forward, whichever server flushes last', async () => {
    const { store, verifier, file, clock } = setUp();
    const { key } = await store.create(REQUEST);
    const other = createKeyVerifier({ file, now: clock.now });
    await verifier.verify(key);
    clock.advance(1000);
    await other.verify(key);
    await other.flushUsage();
    await verifier.flushUsage();
    expect(store.list()[0]?.lastUsedAt).toBe('2030-01-01T00:00:01.000Z');
  });

  it('is not left in the future by a clock that was ahead', async () => {
    const { store, verifier, clock } = setUp();
    const { key, record } = await store.create(REQUEST);
    clock.advance(70 * DAY_MS);
    await verifier.verify(key);
    await verifier.flushUsage();
    clock.advance(-70 * DAY_MS);
    expect(store.list()[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
    const other = await store.create(REQUEST);
    await verifier.verify(other.key);
    await verifier.flushUsage();
    clock.advance(1000);
    // The time that was to come has been written as the time of the flush.
    expect(store.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual(Array(2).fill('2030-01-01T00:00:00.000Z'));
    expect((await store.revoke(record.id)).lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
  });

  it('of lines that are damaged is dropped, and of the others kept', async () => {
    const { store, verifier, file } = setUp();
    const created = [await store.create(REQUEST), await store.create(REQUEST)];
    for (const { key } of created) await verifier.verify(key);
    await verifier.flushUsage();
    const uses = file.replace('.json', '.usage.jsonl');
    writeFileSync(uses, readFileSync(uses, 'utf8').replace('{', '['));
    expect(store.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, '2030-01-01T00:00:00.000Z']);
  });

  it('survives a failure to write: reported once, kept, written later', async () => {
    const { store, file, clock } = setUp();
    const problems: string[] = [];
    const verifier = createKeyVerifier({ file, now: clock.now, onUsageProblem: (message) => problems.push(message) });
    const { key } = await store.create(REQUEST);
    await verifier.verify(key);
    const uses = file.replace('.json', '.usage.jsonl');
    mkdirSync(uses);
    for (let attempt = 0; attempt < 3; attempt += 1) await verifier.flushUsage();
    expect(problems).toEqual([expect.stringContaining(`${uses} is a folder`)]);
    rmdirSync(uses);
    await verifier.flushUsage();
    expect(store.list()[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
    await verifier.verify(key);
    rmSync(uses);
    mkdirSync(uses);
    await verifier.flushUsage();
    expect(problems).toHaveLength(2);
  });

  it.skipIf(process.getuid?.() === 0)('never disturbs requests where the folder is read-only', async () => {
    const { store, file, clock } = setUp();
    const problems: string[] = [];
    const verifier = createKeyVerifier({ file, now: clock.now, onUsageProblem: (message) => problems.push(message) });
    const { key } = await store.create(REQUEST);
    chmodSync(dirname(file), 0o500);
    await verifier.verify(key);
    await verifier.flushUsage();
    chmodSync(dirname(file), 0o700);
    expect(problems).toEqual([expect.stringContaining('EACCES')]);
    expect((await verifier.verify(key)).status).toBe('valid');
  });
});
