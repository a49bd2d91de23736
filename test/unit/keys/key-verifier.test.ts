/** Promises of the verifier: who is let in at any moment, and that it fails closed. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/errors.js';
import { createKeySecret } from '../../../src/keys/key-format.js';
import { createKeyVerifier } from '../../../src/keys/key-verifier.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { DAY_MS, freshKeyFile, REQUEST, standingClock, verifierOf } from '../storage/store-folder.js';

function setUp() {
  const file = freshKeyFile();
  const clock = standingClock();
  const problems: string[] = [];
  const store = openFileStore(file, { now: clock.now });
  const verifier = verifierOf(store, clock.now, (problem) => problems.push(problem));
  return { file, clock, problems, verifier, store: store.keys };
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
  });

  it('refuses a revoked key in every verifier from the first call after the revocation', async () => {
    const { store, file } = setUp();
    const verifiers = [verifierOf(openFileStore(file)), verifierOf(openFileStore(file))];
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
    const { store, verifier, file, problems } = setUp();
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
    writeFileSync(file, whole);
    expect((await verifier.verify(key)).status).toBe('valid');
    expect(problems).toEqual([expect.stringContaining('damaged')]);
  });

  it('waits for a repository that must ask somebody else, and lets nobody in where that fails', async () => {
    const { store } = setUp();
    const { key } = await store.create(REQUEST);
    const asked = (find: () => Promise<undefined>) =>
      createKeyVerifier({
        keys: {
          find: (hash) => find().then(() => store.find(hash)),
          findById: (id) => find().then(() => store.findById(id)),
        },
        onUse: () => undefined,
      });
    expect((await asked(() => Promise.resolve(undefined)).verify(key)).status).toBe('valid');
    expect((await asked(() => Promise.reject(new OperatorError('gone'))).verify(key)).status).toBe('unavailable');
  });
});

describe('a signed request', () => {
  const SECRET = ['ksec', 'x'.repeat(32)].join('_');
  const isSigned = (secret: string): boolean => secret === SECRET;

  it('counts while its key does, and only with the secret of this key', async () => {
    const { store, verifier, clock } = setUp();
    const { record } = await store.create({ ...REQUEST, expiresInMs: 2 * DAY_MS });
    const other = await store.create(REQUEST);
    expect(await verifier.verifySigned(record.id, isSigned)).toEqual({ status: 'unknown' });
    await store.setSigningSecret(record.id, SECRET);
    expect(await verifier.verifySigned(record.id, isSigned)).toMatchObject({ status: 'valid', key: { id: record.id } });
    expect(await verifier.verifySigned(other.record.id, isSigned)).toEqual({ status: 'unknown' });
    await store.setSigningSecret(other.record.id, SECRET.replaceAll('x', 'y'));
    expect(await verifier.verifySigned(other.record.id, isSigned)).toEqual({ status: 'wrong_signature' });
    clock.advance(3 * DAY_MS);
    expect(await verifier.verifySigned(record.id, isSigned)).toEqual({ status: 'expired' });
    await store.revoke(record.id);
    expect(await verifier.verifySigned(record.id, isSigned)).toEqual({ status: 'revoked' });
    expect(await verifier.verifySigned('key_x', isSigned)).toEqual({ status: 'unknown' });
  });

  it('is refused while keys cannot be read, and for a key that a rotation made', async () => {
    const { store, verifier, file } = setUp();
    const { record } = await store.create(REQUEST);
    await store.setSigningSecret(record.id, SECRET);
    const rotated = await store.rotate(record.id);
    expect(await verifier.verifySigned(rotated.record.id, isSigned)).toEqual({ status: 'unknown' });
    writeFileSync(file, '{');
    expect(await verifier.verifySigned(record.id, isSigned)).toMatchObject({ status: 'unavailable' });
  });
});
