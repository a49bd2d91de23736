/** What the store promises while PostgreSQL is away, and after it went back in time. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../src/storage/postgres/postgres-store.js';
import { PASSWORD, hasPostgres, startPostgres, type PostgresServer } from '../../support/servers/postgres.js';
import { startProxy } from '../../support/servers/tcp-proxy.js';
import { REQUEST } from '../../unit/storage/store-folder.js';

const GRACE_MS = 2500;
/** That of a question, and what a busy machine adds. */
const LONGEST_ANSWER_MS = 2500;

describe.skipIf(!hasPostgres)('a store whose PostgreSQL', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await startPostgres('max_connections=20');
    databaseUrl = await server.freshDatabase();
  });
  afterAll(() => server.close());
  afterEach(() => server.endAdmins());

  async function open(url = databaseUrl, graceMs = GRACE_MS) {
    const store = await openPostgresStore(url, { graceMs });
    onTestFinished(() => store.close());
    return store;
  }

  async function withProxy() {
    const proxy = await startProxy(server.port);
    onTestFinished(() => proxy.close());
    return { proxy, url: databaseUrl.replace(`:${server.port}/`, `:${proxy.port}/`) };
  }

  /** What becomes of a question, which must not take long. */
  async function answerTo(ask: () => unknown): Promise<string> {
    const askedAt = performance.now();
    try {
      const found = await ask();
      return found === undefined ? 'unknown' : 'known';
    } catch (error) {
      const { name, message } = error as Error;
      expect(name).toBe('OperatorError');
      expect(message).toContain('PostgreSQL at 127.0.0.1');
      expect(message).not.toContain(PASSWORD);
      return 'away';
    } finally {
      expect(performance.now() - askedAt).toBeLessThan(LONGEST_ANSWER_MS);
    }
  }

  async function until(wanted: string, ask: () => unknown, withinMs: number): Promise<void> {
    const beganAt = performance.now();
    while ((await answerTo(ask)) !== wanted) {
      if (performance.now() - beganAt > withinMs) throw new Error(`It did not become ${wanted} within ${withinMs} ms.`);
      await delay(20);
    }
  }

  const faults: readonly (readonly [string, () => unknown, () => unknown])[] = [
    ['is killed', () => server.stop('SIGQUIT'), () => server.start()],
    ['ends in order', () => server.stop('SIGINT'), () => server.start()],
    ['stops to answer (SIGSTOP)', () => server.freeze(), () => server.thaw()],
  ];
  const possible = process.platform === 'linux' ? faults : faults.slice(0, 2);

  it.each(possible)(
    '%s serves known keys and policies for the grace, then none, and goes on by itself',
    async (_, fail, mend) => {
      const store = await open();
      const [{ record: known }, { record: other }] = [
        await store.keys.create(REQUEST),
        await store.keys.create(REQUEST),
      ];
      const projectId = known.projectId;
      const askKnown = () => store.keys.find(known.hash);
      const askPolicy = async () => (await store.policies.inForce(projectId)) ?? 'that of the settings';
      expect([await answerTo(askKnown), await answerTo(askPolicy)]).toEqual(['known', 'known']);
      const failedAt = performance.now();
      await fail();
      onTestFinished(async () => {
        await mend();
      });
      // The first that comes may wait for the deadline, all at once.
      expect(await Promise.all(Array.from({ length: 50 }, () => answerTo(askKnown)))).toEqual(Array(50).fill('known'));
      await until('away', () => store.keys.find(other.hash), 2000);
      expect(await answerTo(askPolicy)).toBe('known');
      expect(() => store.check()).not.toThrow();
      await until('away', askKnown, GRACE_MS + 2000);
      expect(performance.now() - failedAt).toBeGreaterThan(GRACE_MS - 1500);
      expect(() => store.check()).toThrow('PostgreSQL at 127.0.0.1');
      expect(await answerTo(() => store.refresh())).toBe('away');
      await mend();
      await until('known', askKnown, 5000);
      expect(await answerTo(() => store.keys.find(other.hash))).toBe('known');
      store.check();
      expect((await store.keys.create(REQUEST)).record.projectId).toBe(projectId);
    },
    60_000,
  );

  it.each(['cut', 'stall'] as const)(
    'is cut off from one server (%s) keeps a key that another revoked no longer than the grace',
    async (fault) => {
      const { proxy, url } = await withProxy();
      const [here, elsewhere] = [await open(url), await open()];
      const { record } = await here.keys.create(REQUEST);
      const ask = async () => {
        const found = await here.keys.find(record.hash);
        return found?.record.revokedAt === null ? found : undefined;
      };
      expect(await answerTo(ask)).toBe('known');
      proxy[fault]();
      await elsewhere.keys.revoke(record.id);
      const revokedAt = performance.now();
      const lastKnownAt = await (async () => {
        for (let last = revokedAt; ;) {
          if ((await answerTo(ask)) !== 'known') return last;
          last = performance.now();
          await delay(10);
        }
      })();
      expect(lastKnownAt - revokedAt).toBeLessThan(GRACE_MS);
      expect(await answerTo(ask)).toBe('away');
      proxy.restore();
      await until('unknown', ask, 5000);
    },
    60_000,
  );

  it('is away is told of once, with how long what is known counts', async () => {
    const { proxy, url } = await withProxy();
    const told: string[] = [];
    const store = await openPostgresStore(url, { graceMs: GRACE_MS, onProblem: (problem) => told.push(problem) });
    onTestFinished(() => store.close());
    proxy.cut();
    await until('away', () => store.keys.find('0'.repeat(64)), 3000);
    await until('away', () => store.refresh(), GRACE_MS + 2000);
    expect(told).toEqual([
      expect.stringMatching(/^PostgreSQL at .* What is known of keys and policies counts for 2\.5 s\.$/),
    ]);
  });

  it('is away serves nobody where there is no grace', async () => {
    const { proxy, url } = await withProxy();
    const store = await open(url, 0);
    const { record } = await store.keys.create(REQUEST);
    expect(await answerTo(() => store.keys.find(record.hash))).toBe('known');
    proxy.cut();
    expect(await answerTo(() => store.keys.find(record.hash))).toBe('away');
    proxy.restore();
    await until('known', () => store.keys.find(record.hash), 5000);
  });

  it('is changed under load lets no request that starts after the revocation pass', async () => {
    const [here, elsewhere] = [await open(), await open()];
    for (let round = 0; round < 5; round += 1) {
      const { record } = await here.keys.create(REQUEST);
      let isRevoked = false;
      let asked = 0;
      const callers = Array.from({ length: 200 }, async () => {
        for (;;) {
          const began = isRevoked;
          const found = await here.keys.find(record.hash);
          asked += 1;
          if (began) return found?.record.revokedAt;
          // None is told of a key without its project.
          expect(found?.project.id).toBe(record.projectId);
        }
      });
      while (asked < 1000) await delay(1);
      await elsewhere.keys.revoke(record.id);
      isRevoked = true;
      const seen = await Promise.all(callers);
      expect(seen.every((at) => typeof at === 'string')).toBe(true);
    }
  }, 60_000);

  it('went back in time forgets all that is known, also where other changes took the lost revisions', async () => {
    const url = await server.freshDatabase();
    const name = new URL(url).pathname.slice(1);
    const admin = server.urlOf('postgres');
    const store = await open(url);
    const { record: early } = await store.keys.create(REQUEST);
    const replace = async (from: string, to: string) => {
      await server.run(admin, `alter database ${from} with allow_connections false`);
      await server.run(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from}'`);
      await server.run(admin, `alter database ${from} rename to ${to}`);
      await server.run(admin, `alter database ${to} with allow_connections true`);
    };
    await server.run(admin, `alter database ${name} with allow_connections false`);
    await server.run(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await server.run(admin, `create database ${name}_backup template ${name}`);
    await server.run(admin, `alter database ${name} with allow_connections true`);
    await until('known', () => store.keys.find(early.hash), 5000);
    const { record: lost } = await store.keys.create(REQUEST);
    expect(await answerTo(() => store.keys.find(lost.hash))).toBe('known');
    await replace(name, `${name}_new`);
    await replace(`${name}_backup`, name);
    // The same revision again, of another change.
    const { record: other } = await (await open(url)).keys.create(REQUEST);
    await until('unknown', () => store.keys.find(lost.hash), 5000);
    for (const { hash } of [early, other]) expect(await answerTo(() => store.keys.find(hash))).toBe('known');
  }, 60_000);

  it('has no connection left serves what is known, and what is not again when there is one', async () => {
    const store = await open();
    const { record } = await store.keys.create(REQUEST);
    const [{ record: unread }] = [await store.keys.create(REQUEST)];
    expect(await answerTo(() => store.keys.find(record.hash))).toBe('known');
    await server.run(databaseUrl, 'select 1');
    const greedy = Array.from({ length: 25 }, () => server.hold(databaseUrl));
    await Promise.all(greedy);
    const endOurs = () =>
      server.run(
        databaseUrl,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parapet'",
      );
    await endOurs();
    expect(await answerTo(() => store.keys.find(record.hash))).toBe('known');
    // Whoever comes first takes the place of one that was ended: ours may.
    const withoutOurs = async (): Promise<unknown> => {
      await endOurs();
      return store.keys.find(unread.hash);
    };
    await until('away', withoutOurs, 5000);
    await server.endAdmins();
    await until('known', () => store.keys.find(unread.hash), 5000);
  }, 60_000);

  it('takes no writes is away, as a standby is, until it takes them again', async () => {
    const store = await open();
    const { record } = await store.keys.create(REQUEST);
    const admin = server.urlOf('postgres');
    await server.run(admin, 'alter system set default_transaction_read_only = on');
    await server.run(admin, 'select pg_reload_conf()');
    onTestFinished(async () => {
      await server
        .run(admin, 'set default_transaction_read_only = off; alter system reset default_transaction_read_only')
        .catch(() => undefined);
    });
    await until('away', () => store.keys.revoke(record.id), 5000);
    await until('away', () => store.keys.find(record.hash), GRACE_MS + 3000);
    await server.run(admin, 'set default_transaction_read_only = off');
    await server.run(admin, 'alter system reset default_transaction_read_only');
    await server.run(admin, 'select pg_reload_conf()');
    await until('known', () => store.keys.find(record.hash), 5000);
    await store.keys.revoke(record.id);
  }, 60_000);

  it.runIf(process.platform === 'linux')(
    'failed over to a server that lacks the last changes says what that one says, to everybody who asks then',
    async () => {
      const primary = await startPostgres();
      onTestFinished(() => primary.close());
      const url = await primary.freshDatabase();
      const standby = await primary.standby();
      onTestFinished(() => standby.close());
      const databases = url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`);
      const stores = await Promise.all([open(databases), open(databases), open(databases)]);
      const [store] = stores;
      const { record: revoked } = await store.keys.create(REQUEST);
      const { projectId } = revoked;
      await store.policies.edit(projectId, () => ({ passMaxScore: 5 }), { by: 'command line' });
      const admin = primary.urlOf('postgres');
      const [at] = await primary.run(admin, 'select pg_current_wal_lsn() as lsn');
      const standbyAdmin = standby.urlOf('postgres');
      const isThere = `select pg_last_wal_replay_lsn() >= '${String(at?.lsn)}' as there`;
      while ((await standby.run(standbyAdmin, isThere))[0]?.there !== true) await delay(20);
      // What follows is sent to nobody: neither by a connection that is there, nor by a new one.
      standby.freeze();
      await primary.run(admin, 'select pg_terminate_backend(pid) from pg_stat_replication');

      await store.keys.revoke(revoked.id);
      const { record: lost } = await store.keys.create(REQUEST);
      await store.policies.edit(projectId, () => ({ passMaxScore: 1 }), { by: 'command line' });
      const seenBy = async (each: typeof store) => [
        (await each.keys.find(revoked.hash))?.record.revokedAt === null,
        (await each.keys.find(lost.hash)) !== undefined,
        (await each.policies.inForce(projectId))?.policy.passMaxScore,
      ];
      for (const each of stores) expect(await seenBy(each)).toEqual([false, true, 1]);

      await primary.endAdmins();
      await primary.stop('SIGKILL');
      standby.thaw();
      await standby.run(standbyAdmin, 'select pg_promote()');
      // What nobody knows must be asked for: once that is answered, so is what was known.
      for (const each of stores) {
        await until('unknown', () => each.keys.find('0'.repeat(64)), 10_000);
        expect(await seenBy(each)).toEqual([true, false, 5]);
      }
      await store.keys.revoke(revoked.id);
      for (const each of stores) expect((await seenBy(each))[0]).toBe(false);
    },
    60_000,
  );

  it('is one of several is found among them', async () => {
    const { proxy } = await withProxy();
    proxy.stall();
    const address = databaseUrl.replace(`:${server.port}/`, `:1,127.0.0.1:${proxy.port},127.0.0.1:${server.port}/`);
    const store = await open(address);
    const { record } = await store.keys.create(REQUEST);
    expect(await answerTo(() => store.keys.find(record.hash))).toBe('known');
  });

  it('keeps no more changes than it needs', async () => {
    const store = await open();
    await server.run(
      databaseUrl,
      `
      insert into parapet.change select n, gen_random_uuid(), 'key', 'key_x'
      from parapet.revision, generate_series(revision + 1, revision + 20000) n`,
    );
    await server.run(databaseUrl, 'update parapet.revision set revision = revision + 20000');
    const { record } = await store.keys.create(REQUEST);
    const [row] = await server.run(databaseUrl, 'select count(*) as kept from parapet.change');
    expect(Number(row?.kept)).toBe(10_000);
    expect(await answerTo(() => store.keys.find(record.hash))).toBe('known');
  });
});
