/** Promises of moving a store: nothing is lost or made up on the way, and what is not whole or not empty changes nothing. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashAdminPassword } from '../../../src/admin-password.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import type { Store } from '../../../src/storage/store.js';
import type { StoredItem } from '../../../src/storage/transfer/stored-item.js';
import { itemsIn, linesOf } from '../../../src/storage/transfer/transfer-lines.js';
import { freshKeyFile, REQUEST, standingClock, verifierOf } from './store-folder.js';

const { now } = standingClock();
const BY = { by: 'command line' } as const;

async function filledStore() {
  const store = openFileStore(freshKeyFile(), { now });
  const { key, record } = await store.keys.create(REQUEST);
  await store.keys.setSigningSecret(record.id, ['ksec', 'x'.repeat(32)].join('_'));
  const revoked = await store.keys.create(REQUEST);
  await store.keys.revoke(revoked.record.id);
  const { id: forum } = await store.projects.create('forum');
  await store.policies.edit(forum, () => ({ blockedTerms: ['widgeto'] }), BY);
  await store.policies.edit(forum, () => ({ preset: 'adults', blockedTerms: ['widgeto', 'gadgeto'] }), BY);
  await store.adminPassword.set(await hashAdminPassword('correct horse', { log2N: 14, blockSize: 8, parallelism: 1 }));
  await store.sessions.start('a session', now(), { idleMs: 1000, absoluteMs: 1000, most: 1 });
  store.usage.note(record.id, now());
  store.statistics.note({ keyId: record.id, flagged: true, cached: false, latencyMs: 1 });
  await Promise.all([store.usage.flush(), store.statistics.flush()]);
  return { store, key, forum, revoked: revoked.key };
}

async function exported(store: Store): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(store.exportAll())) lines.push(line);
  return lines;
}

async function* numbered(lines: readonly string[]) {
  for (const [index, text] of lines.entries()) yield await Promise.resolve({ number: index + 1, text });
}

const importInto = (store: Store, lines: readonly string[]): Promise<void> => store.importAll(itemsIn(numbered(lines)));

describe('a store that was exported and imported', () => {
  it('is the same: keys that open, the history of policies, last uses, statistics, the password; nobody is signed in', async () => {
    const { store, key, revoked, forum } = await filledStore();
    const lines = await exported(store);
    const other = openFileStore(freshKeyFile(), { now });
    await importInto(other, lines);
    expect(await exported(other)).toEqual(lines);
    const verifier = verifierOf(other, now);
    expect([(await verifier.verify(key)).status, (await verifier.verify(revoked)).status]).toEqual([
      'valid',
      'revoked',
    ]);
    expect(await other.keys.list()).toEqual(await store.keys.list());
    expect(await other.policies.history(forum)).toEqual(await store.policies.history(forum));
    expect(await other.statistics.current()).toEqual(await store.statistics.current());
    expect(await other.adminPassword.get()).toEqual(await store.adminPassword.get());
    expect(await other.sessions.find('a session')).toBeUndefined();
  });

  it('is refused by a store that is not empty, which stays as it is', async () => {
    const { store } = await filledStore();
    const lines = await exported(store);
    const full = openFileStore(freshKeyFile(), { now });
    await full.projects.create('own');
    const before = await exported(full);
    await expect(importInto(full, lines)).rejects.toThrow(/not empty.*PARAPET_HOME/);
    expect(await exported(full)).toEqual(before);
  });
});

describe('an export', () => {
  const replaced = (lines: string[], kind: StoredItem['kind'], edit: (line: string) => string) =>
    lines.map((line) => (line.startsWith(`{"kind":"${kind}"`) ? edit(line) : line));

  it.each<[string, (lines: string[]) => string[], string]>([
    ['that lacks its end', (lines) => lines.slice(0, -1), 'not whole'],
    ['that lacks a line', (lines) => lines.toSpliced(3, 1), 'not whole'],
    ['that goes on after its end', (lines) => [...lines, lines[1] ?? ''], 'after the end'],
    ['cut within a line', (lines) => [...lines.slice(0, 4), lines[4]?.slice(0, 30) ?? ''], 'line 5 is not valid JSON'],
    ['without its head', (lines) => lines.slice(1), 'not what "npx parapet store export" writes'],
    ['that is none', () => ['name,project'], 'not what "npx parapet store export" writes'],
    ['that is empty', () => [], 'not what "npx parapet store export" writes'],
    ['of a newer version', ([, ...lines]) => ['{"parapet":"store","version":2}', ...lines], 'of version 2'],
    ['of a kind that nobody knows', (lines) => lines.toSpliced(1, 0, '{"kind":"user"}'), 'line 2 is damaged'],
    [
      'whose policy is out of range',
      (lines) => replaced(lines, 'policy', (line) => line.replace('"preset":"adults"', '"preset":"secretly"')),
      'line 6 is damaged (record.policy.preset',
    ],
    [
      'whose policy is of no project',
      (lines) => replaced(lines, 'policy', (line) => line.replace(/"projectId":"\w+"/, '"projectId":"prj_x"')),
      'does not stand before it',
    ],
    [
      'with two records of one key',
      (lines) => replaced(lines, 'key', () => lines.find((line) => line.startsWith('{"kind":"key"')) ?? ''),
      'an id occurs twice',
    ],
  ])('%s is refused, and nothing is kept of it', async (_, damage, expected) => {
    const { store } = await filledStore();
    const keysFile = freshKeyFile();
    const into = openFileStore(keysFile, { now });
    const attempt = importInto(into, damage(await exported(store)));
    await expect(attempt).rejects.toThrow(expected);
    await expect(attempt).rejects.not.toThrow('secretly');
    expect(readdirSync(dirname(keysFile))).toEqual([]);
  });
});
