/** Promises of the store as a whole: where it lies, and whether it can be read. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePlace } from '../../../src/config/config.js';
import { OperatorError } from '../../../src/errors.js';
import { newProject } from '../../../src/keys/projects.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { openStore } from '../../../src/storage/open-store.js';
import type { StoredItem } from '../../../src/storage/transfer/stored-item.js';
import { freshKeyFile, REQUEST } from './store-folder.js';

describe('a store', () => {
  it('is one of files where no database is named', async () => {
    const keysFile = freshKeyFile();
    const store = await openStore(storePlace({ KEYS_FILE: keysFile }));
    await store.keys.create(REQUEST);
    expect(store.location).toBe(keysFile);
    expect(await openFileStore(keysFile).keys.list()).toHaveLength(1);
  });

  it.each(['keys.json', 'policies.json'])('says that it cannot be read while %s is damaged', async (name) => {
    const keysFile = freshKeyFile();
    const store = openFileStore(keysFile);
    await store.keys.create(REQUEST);
    store.check();
    writeFileSync(join(dirname(keysFile), name), '{');
    expect(() => store.check()).toThrow(`${name} is damaged`);
  });
});

it('leaves no file behind where it was to take an export that is not whole', async () => {
  const keysFile = freshKeyFile();
  async function* cutShort(): AsyncGenerator<StoredItem> {
    const stamp = { version: 1, at: '2030-01-01T00:00:00.000Z', by: 'dashboard' } as const;
    const project = newProject([], 'shop', stamp.at);
    yield await Promise.resolve({ kind: 'project', project });
    yield { kind: 'policy', projectId: project.id, record: { ...stamp, policy: { passMaxScore: 1 }, earlier: [] } };
    throw new OperatorError('it ends too early');
  }
  const store = openFileStore(keysFile);
  await expect(store.importAll(cutShort())).rejects.toThrow('too early');
  await store.close();
  expect(readdirSync(dirname(keysFile)).filter((name) => !name.startsWith('parapet.db'))).toEqual([]);
});

describe('the address of a database', () => {
  const password = ['hun', 'ter2'].join('');

  it('is never repeated where it is wrong', () => {
    const address = `mysql://user:${password}@localhost/parapet`;
    const ask = (): unknown => storePlace({ DATABASE_URL: address });
    expect(ask).toThrow('DATABASE_URL must be an address such as postgres://');
    expect(ask).not.toThrow(password);
  });

  it('may lie in a file, and name several hosts', () => {
    const file = freshKeyFile();
    const address = `postgresql://user:${password}@one:5432,two:5432/parapet?target_session_attrs=read-write`;
    writeFileSync(file, `${address}\n`);
    expect(storePlace({ DATABASE_URL_FILE: file, STORE_GRACE_SECONDS: '0' })).toMatchObject({
      databaseUrl: address,
      storeGraceMs: 0,
    });
  });
});
