/** What `parapet migrate` promises, and which schemas a store refuses. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/storage/postgres/migrations.js';
import { openPostgresStore } from '../../../src/storage/postgres/postgres-store.js';
import { totalsOf } from '../../../src/storage/statistics/reading.js';
import { hasPostgres, PASSWORD, startPostgres, type PostgresServer } from '../../support/servers/postgres.js';
import { REQUEST } from '../../unit/storage/store-folder.js';

describe.skipIf(!hasPostgres)('the schema of a database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());
  afterEach(() => server.endAdmins());

  async function emptyDatabase(name: string): Promise<string> {
    await server.run(server.urlOf('postgres'), `create database ${name}`);
    return server.urlOf(name);
  }

  it('is made once, by whoever comes first', async () => {
    const url = await emptyDatabase('empty');
    await expect(openPostgresStore(url, { graceMs: 0 })).rejects.toThrow('run "npx parapet migrate"');
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    expect(runs.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
    expect(runs.flatMap(({ applied }) => applied)[0]).toBe('0001-store');
    expect((await migrate(url)).applied).toEqual([]);
    const store = await openPostgresStore(url, { graceMs: 0 });
    onTestFinished(() => store.close());
    expect(await store.keys.list()).toEqual([]);
  });

  it.each([
    [
      'newer',
      "insert into parapet.migration values (9999, '9999-later', 'x')",
      'is of version 9999, and this Parapet knows none after',
    ],
    ['another one', "update parapet.migration set sha256 = 'x'", 'migration 0001-store is another one'],
  ])('that is %s is refused, by migrate too, and left as it is', async (_, statement, reason) => {
    const url = await server.freshDatabase();
    await server.run(url, statement);
    await expect(openPostgresStore(url, { graceMs: 0 })).rejects.toThrow(reason);
    await expect(migrate(url)).rejects.toThrow(reason);
  });

  it('that is older is refused until it is migrated, and keeps what it has', async () => {
    const url = await server.freshDatabase();
    const before = await openPostgresStore(url, { graceMs: 0 });
    const { record } = await before.keys.create(REQUEST);
    await before.close();
    await server.run(url, 'delete from parapet.migration');
    await expect(openPostgresStore(url, { graceMs: 0 })).rejects.toThrow(
      'is older than this Parapet. Run "npx parapet migrate"',
    );
    // It would be made twice: the failure leaves all as it was.
    await expect(migrate(url)).rejects.toThrow('(42P07)');
    const [row] = await server.run(url, 'select id from parapet.key');
    expect(row?.id).toBe(record.id);
  });

  it('takes over what an earlier release has counted', async () => {
    const url = await server.freshDatabase();
    const tally = { requests: 9, flagged: 2, cacheHits: 3, latency: [0, 4, 0, 0, 0, 0, 0, 0, 0, 5] };
    await server.run(
      url,
      `drop table parapet.statistics_cell, parapet.statistics_count;
      create table parapet.statistics (period text, start timestamptz, tallies json);
      insert into parapet.statistics
      select period, '2030-01-01T00:00:00Z', '${JSON.stringify({ key_a: tally, other: tally })}'
      from (values ('hours'), ('days')) as periods (period)`,
    );
    await server.run(url, readFileSync('src/storage/migrations/0006-statistics.sql', 'utf8'));
    const store = await openPostgresStore(url, { graceMs: 0 });
    onTestFinished(() => store.close());
    const [start, day] = [Date.parse('2030-01-01T00:00:00Z'), 86_400_000];
    for (const spanMs of [day / 24, day]) {
      const totals = await totalsOf(store.sql.read, { spanMs, fromMs: start, toMs: start + 1 });
      const told = totals.map(({ keyId, outcome, total }) => `${keyId} ${outcome} ${total}`).sort();
      const expected = ['cached 3', 'failed 2', 'longer 5', 'passed 7', 'within_10 4'];
      expect(told).toEqual([...expected.map((each) => ` ${each}`), ...expected.map((each) => `key_a ${each}`)]);
    }
    expect(await server.run(url, "select to_regclass('parapet.statistics') as earlier")).toEqual([{ earlier: null }]);
  });

  it('is told of without the password, where the database refuses it or is not there', async () => {
    const url = await server.freshDatabase();
    const wrong = url.replace(encodeURIComponent(PASSWORD), 'wrong-password');
    for (const [address, reason] of [
      [wrong, 'refuses the password'],
      [server.urlOf('nowhere'), 'has no such database'],
    ] as const) {
      const error: unknown = await migrate(address).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain(`PostgreSQL at 127.0.0.1:${server.port}`);
      expect(String(error)).toContain(reason);
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'wrong-password'])
        expect(String(error)).not.toContain(secret);
    }
  });
});
