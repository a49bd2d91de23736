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
