/** The owner's password, who is signed in, who did what, and the database that holds it. */
import { describe, expect, it } from 'vitest';
import { hashAdminPassword, isAdminPassword } from '../../../src/admin-password.js';
import { hashOfNobody } from '../../../src/dashboard/session/hash-of-nobody.js';
import { createSessions } from '../../../src/dashboard/session/sessions.js';
import { linesOf, verified } from '../../../src/people/audit-lines.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import { OWNER } from '../../../src/people/roles.js';
import { NotUnique } from '../../../src/storage/sql/sql-database.js';
import { setUp, type StoreEngine } from './store-engine.js';

const PASSWORD_HASH = { log2N: 14, blockSize: 8, parallelism: 1, salt: Buffer.alloc(16), hash: Buffer.alloc(32, 1) };
const PLACE = { address: '192.0.2.1', agent: 'test' };

export function describeAdmin(engine: StoreEngine): void {
  describe('the password', () => {
    it('is none until it is set, and then the latest in every server', async () => {
      const { adminPassword, open } = await setUp(engine);
      const cost = { log2N: 14, blockSize: 8, parallelism: 1 };
      const hashes = await Promise.all(
        ['first password', 'second password'].map((each) => hashAdminPassword(each, cost)),
      );
      expect(await adminPassword.get()).toBeUndefined();
      const other = await open();
      for (const hash of hashes) {
        await other.adminPassword.set(hash);
        expect(await adminPassword.get()).toEqual(hash);
      }
    });
  });

  describe('where there is no password', () => {
    it('all servers sign with one secret, which is no hash of a password', async () => {
      const { store, open } = await setUp(engine);
      const other = (await open()).sql;
      const [one, same] = await Promise.all([hashOfNobody(store.sql), hashOfNobody(other)]);
      expect(one).toEqual(same);
      expect(one.hash).toHaveLength(32);
      expect(await isAdminPassword('', { ...one, log2N: 14 })).toBe(false);
    });
  });

  describe('a session', () => {
    it('holds in every server until it ends', async () => {
      const { store, clock, open } = await setUp(engine);
      const sessions = createSessions(store.sql, PASSWORD_HASH, clock.now);
      const others = createSessions((await open()).sql, PASSWORD_HASH, clock.now);
      const { id, csrfToken, expiresAt } = await sessions.start('owner', PLACE);
      expect(await others.use(id)).toMatchObject({ csrfToken, expiresAt, actor: OWNER });
      await others.end(id);
      expect(await sessions.use(id)).toBeUndefined();
    });

    it('is over after half an hour without a use, and after twelve hours', async () => {
      const { store, clock } = await setUp(engine);
      const sessions = createSessions(store.sql, PASSWORD_HASH, clock.now);
      const { id } = await sessions.start('owner', PLACE);
      for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
        expect(await sessions.use(id)).toBeDefined();
        clock.advance(20 * 60_000);
      }
      expect(await sessions.use(id)).toBeUndefined();
      const { id: other } = await sessions.start('owner', PLACE);
      clock.advance(30 * 60_000);
      expect(await sessions.use(other)).toBeUndefined();
    });

    it('of a person beyond the twentieth ends the one that was idle for longest', async () => {
      const { store, clock } = await setUp(engine);
      const sessions = createSessions(store.sql, PASSWORD_HASH, clock.now);
      const ids: string[] = [];
      for (let each = 0; each < 20; each += 1) {
        ids.push((await sessions.start('owner', PLACE)).id);
        clock.advance(1000);
      }
      clock.advance(60_000);
      await sessions.use(ids[0] ?? '');
      await sessions.start('owner', PLACE);
      const isThere = await Promise.all(ids.map(async (id) => (await sessions.use(id)) !== undefined));
      expect(isThere.flatMap((there, index) => (there ? [] : [index]))).toEqual([1]);
    });

    it('is worth nothing under another password', async () => {
      const { store, clock } = await setUp(engine);
      const { id } = await createSessions(store.sql, PASSWORD_HASH, clock.now).start('owner', PLACE);
      const other = createSessions(store.sql, { ...PASSWORD_HASH, hash: Buffer.alloc(32, 2) }, clock.now);
      expect(await other.use(id)).toBeUndefined();
    });
  });

  describe('the audit log', () => {
    it('is one chain of all servers, newest first', async () => {
      const { store, clock, open } = await setUp(engine);
      const log = createAuditLog(store.sql, clock.now);
      const other = createAuditLog((await open()).sql, clock.now);
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? log : other).append({ actor: OWNER, action: 'key.create', subject: `key_${index}` }),
        ),
      );
      const verify = () => verified(linesOf(other.entries()));
      const entries = await log.list({ limit: 100 });
      expect(entries.map(({ sequence }) => sequence)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      expect(await log.list({ before: 3, limit: 1 })).toEqual([entries[8]]);
      expect(await verify()).toEqual({ count: 10, first: entries.at(-1), last: entries[0] });
      await store.sql.change((ask) => ask("update parapet.audit set subject = 'another' where sequence = 4"));
      await expect(verify()).rejects.toThrow('line 4, entry 4, was changed');
      await store.sql.change((ask) => ask('delete from parapet.audit where sequence = 4'));
      await expect(verify()).rejects.toThrow('line 4, entry 5, was changed');
    });

    it('is searched by actor and by action, or a group of actions', async () => {
      const { store, clock } = await setUp(engine);
      const log = createAuditLog(store.sql, clock.now);
      const ann = { id: 'acc_1', name: 'ann@example.com' };
      for (const [actor, action] of [
        [OWNER, 'key.create'],
        [ann, 'key.revoke'],
        [ann, 'keyring.open'],
      ] as const) {
        await log.append({ actor, action });
      }
      const found = async (query: { actor?: string; action?: string }) =>
        (await log.list({ limit: 10, ...query })).map(({ action }) => action);
      expect(await found({ actor: 'ann@' })).toEqual(['keyring.open', 'key.revoke']);
      expect(await found({ actor: 'acc_1 ann@example.com', action: 'key' })).toEqual(['key.revoke']);
      expect(await found({ action: 'key' })).toEqual(['key.revoke', 'key.create']);
      expect(await found({ action: 'key.create', actor: '%' })).toEqual([]);
    });
  });

  describe('the database of records', () => {
    it('undoes a change that fails, and says what is there twice', async () => {
      const { sql } = await setUp(engine);
      const insert =
        'insert into parapet.session (id_hash, account_id, started_at, used_at, address, agent) values ($1, $2, $3, $3, $2, $2)';
      const work = sql.change(async (ask) => {
        await ask(insert, ['one', 'owner', 1_900_000_000_000]);
        await ask(insert, ['one', 'owner', 1_900_000_000_000]);
      });
      await expect(work).rejects.toThrow(NotUnique);
      await sql.change((ask) => ask(insert, ['two', 'owner', 1_900_000_000_000]));
      expect(await sql.read('select id_hash, started_at, count(*) over () as how_many from parapet.session')).toEqual([
        { idHash: 'two', startedAt: 1_900_000_000_000, howMany: 1 },
      ]);
    });
  });
}
