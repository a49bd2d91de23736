/** Promises of the key store: what is stored of a key, and what revoking and rotating do. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashKey } from '../../../src/keys/key-format.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile, REQUEST } from './store-folder.js';

describe('key store', () => {
  it('stores the hash of a key and never the key', async () => {
    const file = freshKeyFile();
    const { key, record } = await openFileStore(file).keys.create(REQUEST);
    const text = readFileSync(file, 'utf8');
    expect(record.hash).toBe(hashKey(key));
    expect(text).toContain(record.hash);
    expect(text).not.toContain(key.slice(12));
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
