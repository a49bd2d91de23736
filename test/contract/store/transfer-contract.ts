/** What every engine promises of moving a store: nothing is lost or made up on the way, and what is not whole or not empty changes nothing. */
import { expect, it } from 'vitest';
import { hashAdminPassword } from '../../../src/admin-password.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { linesOf as auditLinesOf, verified } from '../../../src/people/audit-lines.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import { OWNER } from '../../../src/people/roles.js';
import { createReviews } from '../../../src/reviews/review-repository.js';
import type { Store } from '../../../src/storage/store.js';
import type { StoredItem } from '../../../src/storage/transfer/stored-item.js';
import { itemsIn, linesOf } from '../../../src/storage/transfer/transfer-lines.js';
import { keepDecisions } from '../../support/dashboard/kept-decisions.js';
import { FAILED_VERDICT, freshKeyFile, REQUEST, standingClock, verifierOf } from '../../unit/storage/store-folder.js';
import { setUp, type StoreEngine } from './store-engine.js';

const BY = { by: 'command line' } as const;

async function fill(store: Store, now: () => Date) {
  const { key, record } = await store.keys.create(REQUEST);
  await store.keys.setSigningSecret(record.id, ['ksec', 'x'.repeat(32)].join('_'));
  const revoked = await store.keys.create(REQUEST);
  await store.keys.revoke(revoked.record.id);
  const { id: forum } = await store.projects.create('forum');
  await store.policies.edit(forum, () => ({ blockedTerms: ['widgeto'] }), BY);
  await store.policies.edit(forum, () => ({ preset: 'adults', blockedTerms: ['widgeto', 'gadgeto'] }), BY);
  await store.adminPassword.set(await hashAdminPassword('correct horse', { log2N: 14, blockSize: 8, parallelism: 1 }));
  await store.sql.change((ask) =>
    ask(
      'insert into parapet.session (id_hash, account_id, started_at, used_at, address, agent) values ($1, $1, 1, 1, $1, $1)',
      ['a session'],
    ),
  );
  await createAuditLog(store.sql, now).append({ actor: OWNER, action: 'key.create', subject: record.id });
  // It waits for a second review.
  const [judged = ''] = await keepDecisions(store.sql, record.projectId, [{}]);
  const reviews = createReviews({ database: store.sql, now, secondReviewsOf: () => Promise.resolve(1) });
  await reviews.judge('acc_ann', judged, {
    ...{ outcome: 'wrong', shouldPass: true, categories: [], note: Buffer.from('a note') },
  });
  store.usage.note(record.id, now());
  store.statistics.note({ ...FAILED_VERDICT, keyId: record.id });
  await Promise.all([store.usage.flush(), store.statistics.flush()]);
  return { key, forum, revoked: revoked.key };
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

export function describeTransfer(engine: StoreEngine): void {
  it('is the same after it was moved to files and back, and nobody is signed in', async () => {
    const { store, clock } = await setUp(engine);
    const { key, revoked, forum } = await fill(store, clock.now);
    const lines = await exported(store);
    const keys = await store.keys.list();
    const history = await store.policies.history(forum);
    const files = openFileStore(freshKeyFile(), clock);
    await importInto(files, lines);
    expect(await exported(files)).toEqual(lines);
    const back = await (await engine.fresh())(clock);
    await back.importAll(files.exportAll());
    expect(await exported(back)).toEqual(lines);
    const verifier = verifierOf(back, clock.now);
    expect([(await verifier.verify(key)).status, (await verifier.verify(revoked)).status]).toEqual([
      'valid',
      'revoked',
    ]);
    expect(await back.keys.list()).toEqual(keys);
    expect(await back.policies.history(forum)).toEqual(history);
    expect(await back.sql.read('select * from parapet.session')).toEqual([]);
    expect(await createReviews({ database: back.sql }).waiting('acc_bob')).toBe(1);
    expect(await verified(auditLinesOf(createAuditLog(back.sql).entries()))).toMatchObject({ count: 1 });
  });

  it('takes no export where it is not empty, and stays as it is', async () => {
    const { store } = await setUp(engine);
    await store.projects.create('own');
    const before = await exported(store);
    await expect(importInto(store, await exportOfFiles())).rejects.toThrow(/not empty.*PARAPET_HOME/);
    expect(await exported(store)).toEqual(before);
  });

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
      'twice',
    ],
  ])('refuses an export %s, and keeps nothing of it', async (_, damage, expected) => {
    const { store } = await setUp(engine);
    const attempt = importInto(store, damage(await exportOfFiles()));
    await expect(attempt).rejects.toThrow(expected);
    await expect(attempt).rejects.not.toThrow('secretly');
    expect(await exported(store)).toHaveLength(2);
  });
}

async function exportOfFiles(): Promise<string[]> {
  const { now } = standingClock();
  const store = openFileStore(freshKeyFile(), { now });
  await fill(store, now);
  return exported(store);
}
