/**
 * Three copies of the service behind HAProxy with one database and one Valkey, under load all the time: what an operator changes counts at once in all of them,
 * and whatever happens to copies and database, every request is answered, by nobody's mercy but the grace.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCopies, type Copy } from '../support/copies.js';
import { isMissing, startHaproxy } from '../support/servers/haproxy.js';
import { counted, outcomeOf, startLoad, type Asked, type Load } from '../support/load.js';
import { hasPostgres, startPostgres, type PostgresServer } from '../support/servers/postgres.js';
import { analyzeInDetail, command, eventually, type Environment } from '../support/service.js';
import { startProxy, type TcpProxy } from '../support/servers/tcp-proxy.js';
import { KIND } from '../support/texts.js';
import { hasValkey, startValkey, type ValkeyServer } from '../support/servers/valkey.js';
import { sized, TIME_LIMIT_MS } from './scale.js';

const COPIES = 3;
const CLIENTS = 12;
const MAX_CONNECTIONS = 40;
const GRACE_MS = 2000;
/** Between two events. */
const REQUESTS = sized({ short: 200, long: 10_000 });
const TOTAL = sized({ short: 0, long: 200_000 });
const REVOCATIONS = sized({ short: 1, long: 20 });
/** Of the key that is limited: what several clients ask within seconds. */
const PER_MINUTE = 300;
/** Made here, so that no scanner takes it for somebody's. */
const PASSWORD = ['correct', 'horse', 'battery'].join(' ');

const cleanUps: (() => unknown)[] = [];
let valkey: ValkeyServer;
let primary: PostgresServer;
let standby: PostgresServer;
/** Of the operator, whose commands reach the database whatever the copies reach. */
let operator: Environment;
/** Of each copy to the database. */
let ways: TcpProxy[];
let copies: Copy[];
let address: string;
let load: Load;
let steady: string;
/** Of loads that have ended. */
let account: Asked[] = [];

async function newKey(...more: string[]): Promise<{ key: string; id: string }> {
  const argv = ['create', '--project', 'shop', '--name', 'backend', '--json', ...more];
  const { key, id } = JSON.parse(await command('keys', operator, argv)) as { key: string; id: string };
  return { key, id };
}

/** @returns what was asked from now on until as many more were answered */
async function next(count = REQUESTS): Promise<readonly Asked[]> {
  const fromMs = performance.now();
  await load.further(count + CLIENTS);
  return load.asked.filter(({ startedAtMs }) => startedAtMs >= fromMs);
}

/** Until every copy answers, and HAProxy asks every copy. */
async function recovered(): Promise<void> {
  const addresses = [address, ...copies.map((copy) => copy.address)];
  let inARow = 0;
  await eventually(
    async () => {
      const outcomes = await Promise.all(addresses.map((each) => outcomeOf({ address: each, key: steady })));
      inARow = outcomes.every((outcome) => outcome === '200') ? inARow + 1 : 0;
    },
    () => inARow >= 10,
  );
}

const allAre = (asked: readonly Asked[], ...outcomes: string[]): void => {
  expect(asked.length).toBeGreaterThan(0);
  expect(outcomes).toEqual(expect.arrayContaining(Object.keys(counted(asked))));
};

describe.skipIf(isMissing('haproxy') || !hasPostgres || !hasValkey)('three copies behind HAProxy', () => {
  beforeAll(async () => {
    const afterwards = (clean: () => unknown): void => void cleanUps.unshift(clean);
    valkey = await startValkey();
    afterwards(valkey.kill);
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
    ways = await Promise.all(Array.from({ length: COPIES }, () => startProxy(primary.port)));
    for (const way of ways) afterwards(() => way.close());
    const settings = {
      VALKEY_URL: valkey.url,
      STORE_GRACE_SECONDS: String(GRACE_MS / 1000),
      SHUTDOWN_DELAY_SECONDS: '3',
      RATE_LIMIT_PER_MINUTE: '0',
      FAILED_KEYS_PER_MINUTE: '0',
    };
    copies = await startCopies(
      ways.map(({ port }) => ({ ...settings, DATABASE_URL: urlOf(port) })),
      afterwards,
    );
    ({ address } = await startHaproxy({ ports: copies.map(({ port }) => port), afterwards }));
    load = startLoad({ address, keys: Array<string>(CLIENTS).fill(steady) });
  }, 120_000);

  let begunAt = 0;
  afterEach(({ task }) => {
    console.info(task.name, counted(load.asked.slice(begunAt)));
    begunAt = load.asked.length;
  });

  afterAll(async () => {
    try {
      await load.further(Math.max(0, TOTAL - account.length - load.asked.length));
      account = account.concat(await load.stop());
    } finally {
      for (const clean of cleanUps) await clean();
    }
    console.info(`${account.length} requests in all`, counted(account));
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
    'a limit is one for all copies, to a twentieth, and without Valkey everybody is still answered',
    async () => {
      const { key } = await newKey('--rate-limit', String(PER_MINUTE));
      const asking = startLoad({ address, keys: Array<string>(CLIENTS).fill(key) });
      await eventually(
        () => Promise.resolve(counted(asking.asked)['429 rate_limited'] ?? 0),
        (refused) => refused > PER_MINUTE / 2,
      );
      const asked = await asking.stop();
      account = account.concat(asked);
      allAre(asked, '200', '429 rate_limited');
      // Else it were two minutes' worth.
      expect((asked.at(-1)?.endedAtMs ?? 0) - (asked[0]?.startedAtMs ?? 0)).toBeLessThan(60_000);
      expect(Math.abs((counted(asked)['200'] ?? 0) - PER_MINUTE)).toBeLessThanOrEqual(PER_MINUTE / 20);
      await valkey.kill();
      const alone = startLoad({ address, keys: Array<string>(CLIENTS).fill(key) });
      await alone.further(PER_MINUTE / 2);
      allAre(await alone.stop(), '200', '429 rate_limited');
      account = account.concat(alone.asked);
      await valkey.start();
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

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
    'a database that is killed and started anew is not noticed within the grace',
    async () => {
      const fromMs = performance.now();
      await primary.stop('SIGKILL');
      await primary.start();
      await recovered();
      const during = load.asked.filter(({ startedAtMs }) => startedAtMs >= fromMs);
      // A part of the grace may have passed before.
      const isWithin = ({ endedAtMs }: Asked): boolean => endedAtMs < fromMs + GRACE_MS / 2;
      expect(during.filter(isWithin).filter(({ outcome }) => outcome !== '200')).toEqual([]);
      allAre(during, '200', '503', '503 keys_unavailable');
      allAre(await next(), '200');
    },
    TIME_LIMIT_MS,
  );

  it(
    'a copy that is cut off from the database lets a revoked key in for the grace, and nobody after it',
    async () => {
      const { key, id } = await newKey();
      const [copy] = copies;
      const [way] = ways;
      const asking = startLoad({ address: copy?.address ?? '', keys: [key, steady] });
      await asking.further(20);
      way?.cut();
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
      way?.restore();
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
      await setTimeout(2.5 * GRACE_MS);
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
      const url = primary.urlOf('postgres');
      await primary.run(url, 'select 1');
      const refused = (): number => load.asked.slice(begunAt).filter(({ outcome }) => outcome !== '200').length;
      await eventually(
        async () => {
          // The copies lose what they have, and others are quicker.
          await primary.run(
            url,
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parapet'",
          );
          await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => primary.hold(url)));
        },
        () => refused() > 0,
      );
      await setTimeout(GRACE_MS);
      await primary.endAdmins();
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
