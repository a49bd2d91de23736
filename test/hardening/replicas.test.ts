/**
 * Three copies of the service behind HAProxy with one database, under load all the time: what an operator changes counts at once in all of them,
 * and whatever happens to copies and database, every request is answered, by nobody's mercy but the grace.
 */
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCopies, type Copy } from '../support/copies.js';
import { isMissing, startHaproxy } from '../support/haproxy.js';
import { counted, outcomeOf, startLoad, type Asked, type Load } from '../support/load.js';
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.js';
import { startRelay, type Relay } from '../support/relay.js';
import { analyzeInDetail, command, eventually, type Environment } from '../support/service.js';
import { KIND } from '../support/texts.js';
import { sized, TIME_LIMIT_MS } from './scale.js';

const COPIES = 3;
const CLIENTS = 12;
const MAX_CONNECTIONS = 40;
const GRACE_MS = 2000;
/** Between two events. */
const REQUESTS = sized({ short: 200, long: 12_000 });
const REVOCATIONS = sized({ short: 2, long: 20 });
/** Made here, so that no scanner takes it for somebody's. */
const PASSWORD = ['correct', 'horse', 'battery'].join(' ');

const cleanUps: (() => unknown)[] = [];
let primary: PostgresServer;
let standby: PostgresServer;
/** Of the operator, whose commands reach the database whatever the copies reach. */
let operator: Environment;
let relays: Relay[];
let copies: Copy[];
let address: string;
let load: Load;
let steady: string;
/** Of loads that have ended. */
let account: Asked[] = [];

async function newKey(): Promise<{ key: string; id: string }> {
  const argv = ['create', '--project', 'shop', '--name', 'backend', '--json'];
  const { key, id } = JSON.parse(await command('keys', operator, argv)) as { key: string; id: string };
  return { key, id };
}

/** @returns what was asked from now on until as many more were answered */
async function next(count = REQUESTS): Promise<readonly Asked[]> {
  const fromMs = performance.now();
  await load.further(count + CLIENTS);
  return load.asked.filter(({ startedAtMs }) => startedAtMs >= fromMs);
}

/** Until nothing of what happened shows any more. */
async function recovered(): Promise<void> {
  let inARow = 0;
  await eventually(
    async () => (inARow = (await outcomeOf({ address, key: steady })) === '200' ? inARow + 1 : 0),
    (count) => count >= 20,
  );
}

const allAre = (asked: readonly Asked[], ...outcomes: string[]): void => {
  expect(asked.length).toBeGreaterThan(0);
  expect(outcomes).toEqual(expect.arrayContaining(Object.keys(counted(asked))));
};

describe.skipIf(isMissing('haproxy') || !hasPostgres)('three copies and PostgreSQL behind HAProxy', () => {
  beforeAll(async () => {
    const afterwards = (clean: () => unknown): void => void cleanUps.unshift(clean);
    primary = await startPostgres(`max_connections=${MAX_CONNECTIONS}`);
    afterwards(() => primary.close());
    const database = new URL(await primary.freshDatabase());
    standby = await primary.standby();
    afterwards(() => standby.close());
    const urlOf = (port: number): string =>
      database.href.replace(database.host, `127.0.0.1:${port},127.0.0.1:${standby.port}`);
    operator = { DATABASE_URL: urlOf(primary.port) };
    await command('admin', operator, ['set-password'], PASSWORD);
    ({ key: steady } = await newKey());
    relays = await Promise.all(Array.from({ length: COPIES }, () => startRelay(primary.port)));
    for (const relay of relays) afterwards(() => relay.close());
    const settings = {
      STORE_GRACE_SECONDS: String(GRACE_MS / 1000),
      SHUTDOWN_DELAY_SECONDS: '3',
      RATE_LIMIT_PER_MINUTE: '0',
      FAILED_KEYS_PER_MINUTE: '0',
    };
    copies = await startCopies(
      relays.map(({ port }) => ({ ...settings, DATABASE_URL: urlOf(port) })),
      afterwards,
    );
    ({ address } = await startHaproxy({ ports: copies.map(({ port }) => port), afterwards }));
    load = startLoad({ address, keys: Array<string>(CLIENTS).fill(steady) });
  }, 120_000);

  let begunAt = 0;
  afterEach(({ task }) => {
    console.info(task.name, counted(load.asked.slice(begunAt)));
    const t0 = load.asked[begunAt]?.startedAtMs ?? 0;
    for (const a of load.asked.slice(begunAt))
      if (a.outcome.startsWith('no')) console.info(a.outcome, a.startedAtMs - t0, a.endedAtMs - t0);
    const first = load.asked.slice(begunAt).find((a) => a.outcome !== '200');
    const last = load.asked.slice(begunAt).findLast((a) => a.outcome !== '200');
    console.info('not 200 from', (first?.startedAtMs ?? 0) - t0, 'to', (last?.endedAtMs ?? 0) - t0);
    begunAt = load.asked.length;
  });

  afterAll(async () => {
    account = account.concat(await load.stop());
    console.info(`${account.length} requests in all`, counted(account));
    for (const clean of cleanUps) await clean();
    expect(account.filter(({ outcome }) => !/^[2-5]\d\d/.test(outcome))).toEqual([]);
  }, TIME_LIMIT_MS);

  it(
    'a key that was revoked gets no verdict in any copy from the first request after the command',
    async () => {
      for (let count = 0; count < REVOCATIONS; count += 1) {
        const { key, id } = await newKey();
        const asking = startLoad({ address, keys: Array<string>(COPIES).fill(key) });
        await asking.further(10 * COPIES);
        await command('keys', operator, ['revoke', id]);
        const revokedAtMs = performance.now();
        const direct = await Promise.all(copies.map((copy) => outcomeOf({ address: copy.address, key })));
        await asking.further(10 * COPIES);
        const asked = await asking.stop();
        account = account.concat(asked);
        expect(direct).toEqual(Array(COPIES).fill('401 unauthorized'));
        allAre(
          asked.filter(({ startedAtMs }) => startedAtMs < revokedAtMs),
          '200',
          '401 unauthorized',
        );
        allAre(
          asked.filter(({ startedAtMs }) => startedAtMs >= revokedAtMs),
          '401 unauthorized',
        );
      }
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'a policy that was changed decides in every copy from the first request after the command',
    async () => {
      for (let version = 1; version <= REVOCATIONS; version += 1) {
        await command('policies', operator, ['set', 'shop', '--category', `toxic=fail:${version / 100}`]);
        const verdicts = await Promise.all(
          copies.flatMap((copy) =>
            [1, 2].map((count) =>
              analyzeInDetail({ address: copy.address, key: steady }, `${KIND} ${version} ${count}`),
            ),
          ),
        );
        expect(verdicts.map(({ details }) => details.policy?.version)).toEqual(Array(2 * COPIES).fill(version));
      }
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it('whoever signed in at the dashboard is signed in at every copy, and signed out at all of them', async () => {
    const session = (to: string, init: RequestInit): Promise<Response> => fetch(`${to}/dashboard/api/session`, init);
    const entered = await session(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    });
    expect(entered.status).toBe(200);
    const cookie = entered.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const { csrfToken } = (await entered.json()) as { csrfToken: string };
    const headers = { Cookie: cookie, 'X-CSRF-Token': csrfToken };
    const everywhere = async (): Promise<number[]> => {
      const asked = [address, address, address, ...copies.map((copy) => copy.address)];
      return Promise.all(asked.map(async (to) => (await session(to, { headers })).status));
    };
    expect(await everywhere()).toEqual(Array(2 * COPIES).fill(200));
    expect((await session(address, { method: 'DELETE', headers })).status).toBe(204);
    expect(await everywhere()).toEqual(Array(2 * COPIES).fill(401));
  });

  it(
    'a copy that is killed, or restarted, loses no request',
    async () => {
      const [killed, restarted] = copies;
      await killed?.service.stop('SIGKILL');
      await restarted?.service.stop('SIGTERM');
      await Promise.all([killed?.startAnew(), restarted?.startAnew()]);
      allAre(await next(), '200');
      allAre(load.asked, '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'a database that is killed and started anew within the grace is not noticed',
    async () => {
      const fromMs = performance.now();
      await primary.stop('SIGKILL');
      await primary.start();
      await recovered();
      expect(counted(load.asked.filter(({ startedAtMs }) => startedAtMs >= fromMs))).toEqual({
        '200': expect.any(Number) as number,
      });
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'a copy that is cut off from the database lets a revoked key in for the grace, and nobody after it',
    async () => {
      const { key, id } = await newKey();
      const [copy] = copies;
      const [relay] = relays;
      const asking = startLoad({ address: copy?.address ?? '', keys: [key, steady] });
      await asking.further(20);
      relay?.cut();
      await command('keys', operator, ['revoke', id]);
      const cutAtMs = performance.now();
      await setTimeout(2 * GRACE_MS);
      await asking.further(20);
      const asked = await asking.stop();
      account = account.concat(asked);
      allAre(
        asked.filter(({ startedAtMs }) => startedAtMs < cutAtMs + GRACE_MS),
        '200',
        '503 keys_unavailable',
      );
      allAre(
        asked.filter(({ startedAtMs }) => startedAtMs >= cutAtMs + GRACE_MS),
        '503 keys_unavailable',
      );
      relay?.mend();
      await eventually(
        () => Promise.all([key, steady].map((each) => outcomeOf({ address: copy?.address ?? '', key: each }))),
        ([revoked, other]) => revoked === '401 unauthorized' && other === '200',
      );
      await recovered();
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'while the database hangs for longer than the grace nobody gets a verdict and everybody an answer, and then all is as before',
    async () => {
      const frozenAtMs = performance.now();
      primary.freeze();
      await setTimeout(3 * GRACE_MS);
      const thawedAtMs = performance.now();
      primary.thaw();
      await recovered();
      const during = load.asked.filter(({ startedAtMs }) => startedAtMs >= frozenAtMs);
      allAre(during, '200', '503', '503 keys_unavailable');
      const late = (asked: Asked): boolean =>
        asked.startedAtMs >= frozenAtMs + GRACE_MS && asked.endedAtMs < thawedAtMs;
      allAre(during.filter(late), '503', '503 keys_unavailable');
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'a database without a free connection is one that is away',
    async () => {
      // More than there are, so that whoever loses one does not get it back.
      const others = postgres(primary.urlOf('postgres'), {
        max: MAX_CONNECTIONS,
        connection: { application_name: 'others' },
      });
      const held = Array.from({ length: MAX_CONNECTIONS }, () => others`select pg_sleep(60)`.catch(() => undefined));
      await primary.run(
        primary.urlOf('postgres'),
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parapet'",
      );
      await setTimeout(2 * GRACE_MS);
      await others.end({ timeout: 0 });
      await Promise.all(held);
      await recovered();
      allAre(load.asked.slice(begunAt), '200', '503', '503 keys_unavailable');
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'a database with a full disk refuses changes with the reason, and verdicts go on',
    async () => {
      const { id } = await newKey();
      const url = operator.DATABASE_URL ?? '';
      await primary.run(
        url,
        `create function parapet.full() returns trigger language plpgsql as $$ begin raise exception using errcode = 'disk_full'; end $$;
         create trigger full_disk before insert or update on parapet.change for each statement execute function parapet.full()`,
      );
      await expect(command('keys', operator, ['revoke', id])).rejects.toThrow('has a full disk');
      allAre(await next(), '200');
      await primary.run(url, 'drop function parapet.full() cascade');
      await command('keys', operator, ['revoke', id]);
    },
    TIME_LIMIT_MS,
  );

  it(
    'a server that was promoted takes over from one that died',
    async () => {
      const { key, id } = await newKey();
      for (const copy of copies) expect(await outcomeOf({ address: copy.address, key })).toBe('200');
      await standby.run(standby.urlOf('postgres'), 'select pg_sleep(0.5)');
      await primary.stop('SIGKILL');
      await standby.run(standby.urlOf('postgres'), 'select pg_promote()');
      await recovered();
      allAre(load.asked.slice(begunAt), '200', '503', '503 keys_unavailable');
      await command('keys', operator, ['revoke', id]);
      for (const copy of copies) expect(await outcomeOf({ address: copy.address, key })).toBe('401 unauthorized');
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );
});
