/** What a request pays for the key of its moment, on files and on a database of this machine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { openPostgresStore } from '../../../src/storage/postgres/postgres-store.js';
import type { Store } from '../../../src/storage/store.js';
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/servers/postgres.js';
import { freshKeyFile, REQUEST } from './store-folder.js';

const QUESTIONS = 5000;
const WARM_UP = 1000;

/** Of `callers` that ask again as soon as they are answered, in milliseconds. */
async function askedBy(callers: number, store: Store, hash: string, questions = QUESTIONS) {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (times.length < questions) {
        const askedAt = performance.now();
        await store.keys.find(hash);
        times.push(performance.now() - askedAt);
      }
    }),
  );
  times.sort((one, other) => one - other);
  const quantile = (part: number): number => times[Math.floor(times.length * part)] ?? Infinity;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

describe.skipIf(!hasPostgres)('the key of this moment', () => {
  let server: PostgresServer;
  let database: Store;
  beforeAll(async () => {
    server = await startPostgres();
    database = await openPostgresStore(await server.freshDatabase(), { graceMs: 0 });
  });
  afterAll(async () => {
    await database.close();
    await server.close();
  });

  it('costs less than 0.3 ms of a database at the median', async () => {
    const files = openFileStore(freshKeyFile());
    const measured = [];
    for (const [name, store] of [
      ['files', files],
      ['PostgreSQL', database],
    ] as const) {
      const { record } = await store.keys.create(REQUEST);
      await askedBy(1, store, record.hash, WARM_UP);
      for (const callers of [1, 16, 64])
        measured.push({ name, callers, ...(await askedBy(callers, store, record.hash)) });
    }
    for (const { name, callers, p50, p99 } of measured) {
      console.log(`${name}, ${callers} at a time: p50 ${p50.toFixed(4)} ms, p99 ${p99.toFixed(4)} ms`);
    }
    expect(measured.find(({ name, callers }) => name === 'PostgreSQL' && callers === 1)?.p50).toBeLessThan(0.3);
  }, 60_000);
});
