/** What is kept of a key, what revoking and rotating do, and that a change counts at once in every server. */
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/errors.js';
import { hashKey } from '../../../src/keys/key-format.js';
import { DAY_MS, REQUEST } from '../../unit/storage/store-folder.js';
import { setUp, type StoreEngine } from './store-engine.js';

export function describeKeys(engine: StoreEngine): void {
  describe('keys', () => {
    it('records all that a key carries', async () => {
      const { keys } = await setUp(engine);
      const { key, record } = await keys.create({
        ...REQUEST,
        environment: 'test',
        expiresInMs: 90 * DAY_MS,
        rateLimitPerMinute: 60,
      });
      expect(record).toEqual({
        id: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/) as string,
        projectId: expect.stringMatching(/^prj_[0-9a-f]{16}$/) as string,
        project: 'shop',
        name: 'backend',
        environment: 'test',
        start: key.slice(0, 12),
        hash: hashKey(key),
        createdAt: '2030-01-01T00:00:00.000Z',
        expiresAt: '2030-04-01T00:00:00.000Z',
        revokedAt: null,
        lastUsedAt: null,
        rateLimitPerMinute: 60,
      });
      expect(await keys.list()).toEqual([record]);
    });

    it.each([
      [{ project: ' ' }, 'project must not be empty'],
      [{ name: 'a\u001b[2Jb' }, 'name must not contain control characters'],
      [{ name: 'x'.repeat(101) }, 'name must be at most 100'],
      [{ expiresInMs: 0 }, 'expiresInMs must be more than 0'],
      [{ expiresInMs: 1e15 }, 'expiresInMs must be at most 36500 days'],
      [{ rateLimitPerMinute: 0 }, 'rateLimitPerMinute must be from 1'],
      [{ rateLimitPerMinute: 1.5 }, 'rateLimitPerMinute must be a whole number'],
    ])('refuses %j and writes nothing', async (wrong, message) => {
      const { keys } = await setUp(engine);
      await expect(keys.create({ ...REQUEST, ...wrong })).rejects.toThrow(message);
      expect(await keys.list()).toEqual([]);
    });

    it('keeps the time of the first revocation when a key is revoked again', async () => {
      const { keys, clock } = await setUp(engine);
      const { record } = await keys.create(REQUEST);
      clock.advance(1000);
      const revoked = await keys.revoke(record.id);
      clock.advance(1000);
      expect(revoked.revokedAt).toBe('2030-01-01T00:00:01.000Z');
      expect(await keys.revoke(record.id)).toEqual(revoked);
      expect(await keys.list()).toEqual([revoked]);
    });

    it('refuses unknown ids, and does not repeat a key that was given for an id', async () => {
      const { keys } = await setUp(engine);
      const { key } = await keys.create(REQUEST);
      await expect(keys.revoke('key_nobody')).rejects.toThrow('There is no key with the id "key_nobody"');
      const error: unknown = await keys.revoke(key).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OperatorError);
      expect(String(error)).not.toContain(key);
      expect(String(error)).toContain('That is a key. Give its id instead');
    });

    it('rotates to a key with the same project, name, environment, rate limit and lifetime', async () => {
      const { keys, clock } = await setUp(engine);
      const old = await keys.create({ ...REQUEST, expiresInMs: 90 * DAY_MS, rateLimitPerMinute: 7 });
      clock.advance(10 * DAY_MS);
      const { key, record, previous } = await keys.rotate(old.record.id);
      const { id, start, hash, createdAt, expiresAt, ...same } = record;
      expect(old.record).toMatchObject(same);
      expect(hash).toBe(hashKey(key));
      expect([start, id]).not.toEqual([old.record.start, old.record.id]);
      expect([createdAt, expiresAt]).toEqual(['2030-01-11T00:00:00.000Z', '2030-04-11T00:00:00.000Z']);
      expect(previous).toEqual({ ...old.record, revokedAt: '2030-01-11T00:00:00.000Z', replacedBy: id });
      expect(await keys.list()).toEqual([previous, record]);
    });

    it('never prolongs a key by an overlap', async () => {
      const { keys } = await setUp(engine);
      const { record } = await keys.create({ ...REQUEST, expiresInMs: 1000 });
      const { previous } = await keys.rotate(record.id, { overlapMs: DAY_MS });
      expect(previous.expiresAt).toBe(record.expiresAt);
    });

    it('rotates neither revoked nor expired keys, nor one key twice', async () => {
      const { keys, clock } = await setUp(engine);
      const [revoked, expired, rotated] = [
        await keys.create(REQUEST),
        await keys.create({ ...REQUEST, expiresInMs: 1000 }),
        await keys.create(REQUEST),
      ];
      await keys.revoke(revoked.record.id);
      const { record: successor } = await keys.rotate(rotated.record.id, { overlapMs: DAY_MS });
      clock.advance(1000);
      const before = await keys.list();
      await expect(keys.rotate(revoked.record.id)).rejects.toThrow('is revoked');
      await expect(keys.rotate(expired.record.id)).rejects.toThrow('is expired');
      await expect(keys.rotate(rotated.record.id)).rejects.toThrow(`Its successor is ${successor.id}`);
      await expect(keys.rotate(successor.id, { overlapMs: -1 })).rejects.toThrow(/^must not be negative$/);
      expect(await keys.list()).toEqual(before);
    });

    it('are found by their hash and by their id, with their project', async () => {
      const { keys, projects } = await setUp(engine);
      const { record } = await keys.create({ ...REQUEST, rateLimitPerMinute: 7 });
      const [project] = await projects.list();
      const { project: name, lastUsedAt, ...kept } = record;
      expect([name, lastUsedAt]).toEqual(['shop', null]);
      expect(await keys.find(record.hash)).toEqual({ record: kept, project });
      expect(await keys.findById(record.id)).toEqual({ record: kept, project });
      expect(await keys.find('0'.repeat(64))).toBeUndefined();
      expect(await keys.findById('key_nobody')).toBeUndefined();
    });

    it('sign with a secret that a rotation does not pass on', async () => {
      const { keys } = await setUp(engine);
      const { record } = await keys.create(REQUEST);
      const secret = 's'.repeat(16);
      await expect(keys.setSigningSecret(record.id, 'short')).rejects.toMatchObject({ reason: 'invalid' });
      expect(await keys.setSigningSecret(record.id, secret)).toEqual({ ...record, signingSecret: secret });
      expect((await keys.findById(record.id))?.record.signingSecret).toBe(secret);
      expect((await keys.rotate(record.id)).record.signingSecret).toBeUndefined();
    });

    it('count in every server from the first question after the change, whoever made it', async () => {
      const { keys, projects, verifier, clock, open } = await setUp(engine);
      const other = await open({ now: clock.now });
      const { key, record } = await keys.create(REQUEST);
      const stateOf = async (asked: string) => (await verifier.verify(asked)).status;
      expect(await stateOf(key)).toBe('valid');
      await other.projects.rename(record.projectId, 'store');
      expect(await verifier.verify(key)).toMatchObject({ key: { project: 'store' } });
      const rotated = await other.keys.rotate(record.id);
      expect([await stateOf(key), await stateOf(rotated.key)]).toEqual(['revoked', 'valid']);
      await other.keys.revoke(rotated.record.id);
      expect(await stateOf(rotated.key)).toBe('revoked');
      const made = await other.keys.createInProject(record.projectId, REQUEST);
      expect(await stateOf(made.key)).toBe('valid');
      await other.projects.archive(record.projectId);
      expect(await stateOf(made.key)).toBe('revoked');
      expect((await projects.list()).map(({ name }) => name)).toEqual(['store']);
    });

    it('are each made once by servers that change at the same time', async () => {
      const { keys, clock, open } = await setUp(engine);
      const others = await Promise.all(Array.from({ length: 4 }, () => open({ now: clock.now })));
      await Promise.all(
        others.flatMap((other) => [1, 2, 3].map((number) => other.keys.create({ ...REQUEST, name: `key ${number}` }))),
      );
      expect(await keys.list()).toHaveLength(12);
      expect(new Set((await keys.list()).map(({ projectId }) => projectId)).size).toBe(1);
    });
  });
}
