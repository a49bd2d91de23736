/** Promises of the key store: what is stored of a key, and what revoking and rotating do. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/errors.js';
import { hashKey } from '../../../src/keys/key-format.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { DAY_MS, freshKeyFile, REQUEST, standingClock } from './store-folder.js';

describe('key store', () => {
  it('stores the hash of a key and never the key', async () => {
    const file = freshKeyFile();
    const { key, record } = await openFileStore(file).keys.create(REQUEST);
    const text = readFileSync(file, 'utf8');
    expect(record.hash).toBe(hashKey(key));
    expect(text).toContain(record.hash);
    expect(text).not.toContain(key.slice(12));
  });

  it('records all that a key carries', async () => {
    const clock = standingClock();
    const store = openFileStore(freshKeyFile(), { now: clock.now }).keys;
    const { key, record } = await store.create({
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
    expect(await store.list()).toEqual([record]);
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
    const store = openFileStore(freshKeyFile()).keys;
    await expect(store.create({ ...REQUEST, ...wrong })).rejects.toThrow(message);
    expect(await store.list()).toEqual([]);
  });

  it('keeps the time of the first revocation when a key is revoked again', async () => {
    const clock = standingClock();
    const store = openFileStore(freshKeyFile(), { now: clock.now }).keys;
    const { record } = await store.create(REQUEST);
    clock.advance(1000);
    const revoked = await store.revoke(record.id);
    clock.advance(1000);
    expect(revoked.revokedAt).toBe('2030-01-01T00:00:01.000Z');
    expect(await store.revoke(record.id)).toEqual(revoked);
    expect(await store.list()).toEqual([revoked]);
  });

  it('refuses unknown ids, and does not repeat a key that was given for an id', async () => {
    const store = openFileStore(freshKeyFile()).keys;
    const { key } = await store.create(REQUEST);
    await expect(store.revoke('key_nobody')).rejects.toThrow('There is no key with the id "key_nobody"');
    const error: unknown = await store.revoke(key).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).not.toContain(key);
    expect(String(error)).toContain('That is a key. Give its id instead');
  });

  it('rotates to a key with the same project, name, environment, rate limit and lifetime', async () => {
    const clock = standingClock();
    const store = openFileStore(freshKeyFile(), { now: clock.now }).keys;
    const old = await store.create({ ...REQUEST, expiresInMs: 90 * DAY_MS, rateLimitPerMinute: 7 });
    clock.advance(10 * DAY_MS);
    const { key, record, previous } = await store.rotate(old.record.id);
    const { id, start, hash, createdAt, expiresAt, ...same } = record;
    expect(old.record).toMatchObject(same);
    expect(hash).toBe(hashKey(key));
    expect([start, id]).not.toEqual([old.record.start, old.record.id]);
    expect([createdAt, expiresAt]).toEqual(['2030-01-11T00:00:00.000Z', '2030-04-11T00:00:00.000Z']);
    expect(previous).toEqual({ ...old.record, revokedAt: '2030-01-11T00:00:00.000Z', replacedBy: id });
    expect(await store.list()).toEqual([previous, record]);
  });

  it('never prolongs a key by an overlap', async () => {
    const store = openFileStore(freshKeyFile(), { now: standingClock().now }).keys;
    const { record } = await store.create({ ...REQUEST, expiresInMs: 1000 });
    const { previous } = await store.rotate(record.id, { overlapMs: DAY_MS });
    expect(previous.expiresAt).toBe(record.expiresAt);
  });

  it('rotates neither revoked nor expired keys, nor one key twice', async () => {
    const clock = standingClock();
    const store = openFileStore(freshKeyFile(), { now: clock.now }).keys;
    const [revoked, expired, rotated] = [
      await store.create(REQUEST),
      await store.create({ ...REQUEST, expiresInMs: 1000 }),
      await store.create(REQUEST),
    ];
    await store.revoke(revoked.record.id);
    const { record: successor } = await store.rotate(rotated.record.id, { overlapMs: DAY_MS });
    clock.advance(1000);
    const before = await store.list();
    await expect(store.rotate(revoked.record.id)).rejects.toThrow('is revoked');
    await expect(store.rotate(expired.record.id)).rejects.toThrow('is expired');
    await expect(store.rotate(rotated.record.id)).rejects.toThrow(`Its successor is ${successor.id}`);
    await expect(store.rotate(successor.id, { overlapMs: -1 })).rejects.toThrow(/^must not be negative$/);
    expect(await store.list()).toEqual(before);
  });
});

describe('the key file', () => {
  it.each([
    ['keys', 'an id', [{ hash: 'b'.repeat(64) }, {}]],
    // Of two records for one key one could be revoked and the other not.
    ['keys', 'a hash', [{ id: 'key_other' }, {}]],
    ['projects', 'an id', [{ name: 'other' }, {}]],
    ['projects', 'a name', [{ id: 'prj_other' }, {}]],
  ])('with two %s that have %s in common is refused', async (member, what, differences) => {
    const file = freshKeyFile();
    await openFileStore(file).keys.create(REQUEST);
    const contents = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object[]>;
    const twice = differences.map((difference) => ({ ...contents[member]?.[0], ...difference }));
    writeFileSync(file, JSON.stringify({ ...contents, [member]: twice }));
    await expect(openFileStore(file).keys.list()).rejects.toThrow(`${member}: ${what} occurs twice`);
  });

  it('with a key of a project that is not there is refused', async () => {
    const file = freshKeyFile();
    await openFileStore(file).keys.create(REQUEST);
    const contents = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...contents, projects: [] }));
    await expect(openFileStore(file).keys.list()).rejects.toThrow(
      'damaged (keys: one is of a project that is not there)',
    );
  });

  it('keeps members that it does not know, of itself, its keys and its projects', async () => {
    const file = freshKeyFile();
    const store = openFileStore(file);
    const { record } = await store.keys.create(REQUEST);
    const { keys, projects, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
      keys: object[];
      projects: object[];
    };
    const added = {
      ...rest,
      owner: 'ops',
      keys: keys.map((key) => ({ ...key, scopes: ['analyze'] })),
      projects: projects.map((project) => ({ ...project, colour: 'red' })),
    };
    writeFileSync(file, JSON.stringify(added));
    await store.keys.create({ ...REQUEST, name: 'second' });
    await store.keys.revoke(record.id);
    await store.projects.rename(record.projectId, 'store');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      owner: 'ops',
      keys: [{ id: record.id, scopes: ['analyze'] }, { name: 'second' }],
      projects: [{ name: 'store', colour: 'red' }],
    });
  });
});
