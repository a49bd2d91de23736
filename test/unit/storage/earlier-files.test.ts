/** Promises to those who come from an earlier release: its files, in ./earlier-files, are read, and nothing of them is lost by the first change. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isAdminPassword } from '../../../src/admin-password.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import type { Store } from '../../../src/storage/store.js';
import { DAY_MS, freshKeyFile, REQUEST } from './store-folder.js';

const EARLIER = fileURLToPath(new URL('earlier-files/', import.meta.url));
const earlier = (name: string): string => readFileSync(join(EARLIER, name), 'utf8');

const earlierKeys = z
  .object({ keys: z.array(z.looseObject({ id: z.string(), project: z.string(), hash: z.string() })) })
  .parse(JSON.parse(earlier('keys.json'))).keys;
const now = () => new Date('2026-10-01T12:00:00.000Z');

function openEarlier() {
  const keysFile = freshKeyFile();
  cpSync(EARLIER, dirname(keysFile), { recursive: true });
  const problems: string[] = [];
  const open = () => openFileStore(keysFile, { now, onProblem: (problem) => problems.push(problem) });
  return {
    keysFile,
    problems,
    open,
    store: open(),
    textOf: (name: string) => readFileSync(join(dirname(keysFile), name), 'utf8'),
  };
}

describe('the key file of version 1', () => {
  it('has all of its keys and projects, before and after it becomes one of version 2', async () => {
    const { store, open, textOf } = openEarlier();
    const [keys, projects] = [await store.keys.list(), await store.projects.list()];
    expect(keys.map(({ id, project, hash }) => ({ id, project, hash }))).toEqual(
      earlierKeys.map(({ id, project, hash }) => ({ id, project, hash })),
    );
    expect(keys[0]).toMatchObject({ scopes: ['analyze'], lastUsedAt: '2026-10-01T08:00:30.000Z' });
    expect(projects.map(({ name }) => name)).toEqual(['store', 'forum', 'closed', 'only named', 'newest']);
    expect(textOf('keys.json')).toBe(earlier('keys.json'));

    const { record } = await store.keys.create({ ...REQUEST, project: 'forum' });
    for (const later of [store, open()]) {
      expect(await later.keys.list()).toEqual([...keys, record]);
      expect(await later.projects.list()).toEqual(projects);
    }
    const written = z
      .looseObject({ version: z.literal(2), note: z.string(), keys: z.array(z.looseObject({ projectId: z.string() })) })
      .parse(JSON.parse(textOf('keys.json')));
    expect(written.note).toBe('kept');
    expect(written.keys.some((key) => 'project' in key)).toBe(false);
  });

  it('lets keys in as before', async () => {
    const { store } = openEarlier();
    for (const { id, hash, project } of earlierKeys) {
      expect(await store.keys.find(hash)).toMatchObject({ record: { id }, project: { name: project } });
    }
  });

  it('that keeps no project gives each the same id at every look, and keeps it', async () => {
    const { keysFile, open } = openEarlier();
    const { version, keys } = z
      .looseObject({ version: z.int(), keys: z.array(z.unknown()) })
      .parse(JSON.parse(earlier('keys.json')));
    writeFileSync(keysFile, JSON.stringify({ version, keys }));
    const before = await open().projects.list();
    expect(before.map(({ name }) => name)).toEqual(['store', 'forum', 'closed', 'only named', 'newest']);
    await open().keys.create(REQUEST);
    expect((await open().projects.list()).slice(0, before.length)).toEqual(before);
  });

  it.each([
    ['half a file', '{"version":1,"keys":[{"id":"key_secretpa', 'damaged (it is not valid JSON)'],
    ['a record of an id alone', '{"version":1,"keys":[{"id":"key_secretpa"}]}', 'damaged (keys.0.'],
    ['keys that are no list', '{"version":1,"keys":{}}', 'damaged (keys: '],
  ])('is refused as %s', async (_, text, expected) => {
    const { keysFile, store } = openEarlier();
    writeFileSync(keysFile, text);
    await expect(store.keys.create(REQUEST)).rejects.toThrow(expected);
    expect(readFileSync(keysFile, 'utf8')).toBe(text);
  });
});

describe('the policy file of format 1', () => {
  it('has its policies and their history, before and after an edit, and they belong to the same projects', async () => {
    const { store, open, textOf } = openEarlier();
    const idOf = async (name: string) => (await store.projects.list()).find((each) => each.name === name)?.id ?? '';
    const [shop, named] = [await idOf('store'), await idOf('only named')];
    const history = await store.policies.history(shop);
    expect(history.versions.map(({ version, policy }) => [version, policy])).toEqual([
      [2, { preset: 'games', passMaxScore: 5, blockedTerms: ['two', 'three'] }],
      [1, { preset: 'games', blockedTerms: ['one', 'two'] }],
    ]);
    expect(store.policies.inForce(named)).toMatchObject({ version: 1, policy: { unreadable: 'pass' } });
    await store.policies.edit(named, (present) => ({ ...present, passMaxScore: 1 }), { by: 'command line' });
    expect(await open().policies.history(shop)).toEqual(history);
    expect((await open().policies.get(named)).policy).toEqual({ unreadable: 'pass', passMaxScore: 1 });
    // An earlier release refuses this, where it would else judge by policies that are edited no more.
    expect(JSON.parse(textOf('policies.json'))).toEqual({ version: 2, projects: {} });
  });
});

describe('the other files', () => {
  it('tell the password', async () => {
    const hash = await openEarlier().store.adminPassword.get();
    expect(hash && (await isAdminPassword(['a', 'password', 'of', 'before'].join(' '), hash))).toBe(true);
  });

  it('tell when keys were used, also after the next use', async () => {
    const { store, open, problems } = openEarlier();
    const uses = async () => (await open().keys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt]);
    const before = await uses();
    expect(before.filter(([, at]) => at !== null)).toHaveLength(3);
    store.usage.note('key_new', now());
    await store.usage.flush();
    expect(await uses()).toEqual(before);
    expect(problems).toEqual([]);
  });

  it('tell the statistics, which are taken into the database once', async () => {
    const { store, open, problems, keysFile } = openEarlier();
    const file = keysFile.replace('.json', '.statistics.json');
    const sum = async ({ sql }: Store) =>
      sql.read<{ outcome: string; total: number }>(
        'select outcome, sum(total) as total from parapet.statistics_count where span = $1 group by outcome',
        [DAY_MS],
      );
    await store.statistics.flush();
    expect(existsSync(file)).toBe(false);
    const before = await sum(store);
    expect(Object.fromEntries(before.map(({ outcome, total }) => [outcome, total]))).toEqual({
      passed: 2,
      failed: 3,
      cached: 1,
      within_5: 1,
      within_25: 1,
      within_50: 1,
      within_100: 2,
    });
    // As by a release before this one, which was begun once more.
    cpSync(join(EARLIER, 'keys.statistics.json'), file);
    const next = open();
    await next.statistics.flush();
    expect(await sum(next)).toEqual(before);
    expect(problems).toEqual([]);
    await Promise.all([store.close(), next.close()]);
  });
});
