/** Promises of the time of last use: written now and then, in a file of its own whose faults stop nothing. */
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { DAY_MS, freshKeyFile, REQUEST, standingClock, verifierOf } from './store-folder.js';

function setUp() {
  const file = freshKeyFile();
  const clock = standingClock();
  const problems: string[] = [];
  const store = openFileStore(file, { now: clock.now, onProblem: (problem) => problems.push(problem) });
  return { file, clock, problems, verifier: verifierOf(store, clock.now), store: store.keys, usage: store.usage };
}

describe('time of last use', () => {
  it('is written by a flush and not by a request', async () => {
    const { store, usage, verifier, clock } = setUp();
    const { key } = await store.create(REQUEST);
    clock.advance(5000);
    await verifier.verify(key);
    expect((await store.list())[0]?.lastUsedAt).toBeNull();
    await usage.flush();
    expect((await store.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:05.000Z');
  });

  it('does not count refused requests', async () => {
    const { store, usage, verifier } = setUp();
    const { key, record } = await store.create(REQUEST);
    await store.revoke(record.id);
    await verifier.verify(key);
    await usage.flush();
    expect((await store.list())[0]?.lastUsedAt).toBeNull();
  });

  it('changes nothing else: a key that was revoked since stays so', async () => {
    const { store, usage, verifier } = setUp();
    const { key, record } = await store.create(REQUEST);
    await verifier.verify(key);
    const after = await store.revoke(record.id);
    await usage.flush();
    expect(await store.list()).toEqual([{ ...after, lastUsedAt: '2030-01-01T00:00:00.000Z' }]);
  });

  it('is the later of what the key file of an earlier version and the file of uses say', async () => {
    const { store, usage, verifier, file, clock } = setUp();
    for (const { key } of [await store.create(REQUEST), await store.create(REQUEST)]) await verifier.verify(key);
    await usage.flush();
    clock.advance(DAY_MS);
    const times = ['2029-12-31T00:00:00.000Z', '2030-01-01T12:00:00.000Z'];
    const contents = JSON.parse(readFileSync(file, 'utf8')) as { keys: object[] };
    const keys = contents.keys.map((key, index) => ({ ...key, lastUsedAt: times[index] }));
    writeFileSync(file, JSON.stringify({ ...contents, keys }));
    expect((await store.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual(['2030-01-01T00:00:00.000Z', times[1]]);
  });

  it('only moves forward, whichever server flushes last', async () => {
    const { store, usage, verifier, file, clock } = setUp();
    const { key } = await store.create(REQUEST);
    const other = openFileStore(file, { now: clock.now });
    await verifier.verify(key);
    clock.advance(1000);
    await verifierOf(other, clock.now).verify(key);
    await other.usage.flush();
    await usage.flush();
    expect((await store.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:01.000Z');
  });

  it('is not left in the future by a clock that was ahead', async () => {
    const { store, usage, verifier, clock } = setUp();
    const { key, record } = await store.create(REQUEST);
    clock.advance(70 * DAY_MS);
    await verifier.verify(key);
    await usage.flush();
    clock.advance(-70 * DAY_MS);
    expect((await store.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
    const other = await store.create(REQUEST);
    await verifier.verify(other.key);
    await usage.flush();
    clock.advance(1000);
    // The time that was to come has been written as the time of the flush.
    expect((await store.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual(Array(2).fill('2030-01-01T00:00:00.000Z'));
    expect((await store.revoke(record.id)).lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
  });

  it('of damaged lines of an earlier version is dropped, and of the others kept', async () => {
    const { store, file } = setUp();
    const ids = [(await store.create(REQUEST)).record.id, (await store.create(REQUEST)).record.id];
    const lines = ids.map((id) => JSON.stringify({ id, lastUsedAt: '2030-01-01T00:00:00.000Z' }));
    writeFileSync(file.replace('.json', '.usage.jsonl'), `${lines.join('\n')}\n`.replace('{', '['));
    expect((await store.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, '2030-01-01T00:00:00.000Z']);
  });

  it('survives a failure to write: reported once, kept, written later', async () => {
    const { store, usage, verifier, file, problems } = setUp();
    const { key } = await store.create(REQUEST);
    await verifier.verify(key);
    const uses = file.replace('.json', '.usage.jsonl');
    mkdirSync(uses);
    for (let attempt = 0; attempt < 3; attempt += 1) await usage.flush();
    expect(problems).toEqual([expect.stringContaining(`${uses} is a folder`)]);
    expect((await verifier.verify(key)).status).toBe('valid');
    rmdirSync(uses);
    await usage.flush();
    expect((await store.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
    await verifier.verify(key);
    rmSync(uses);
    mkdirSync(uses);
    await usage.flush();
    expect(problems).toHaveLength(2);
  });
});
