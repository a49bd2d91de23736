/** The promise that decisions are found at once, however many are kept: each search within 200 ms, on both engines. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDecisionRepository } from '../../src/decisions/decision-repository.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.js';
import type { SqlDatabase } from '../../src/storage/sql/sql-database.js';
import { hasPostgres, startPostgres } from '../support/servers/postgres.js';
import { freshKeyFile } from '../unit/storage/store-folder.js';
import { COUNT, fill, SEARCHES } from './made-up-decisions.js';
import { TIME_LIMIT_MS } from './scale.js';

const MOST_MS = 200;
const PAGE = 50;
const PROJECT = 'prj_0123456789abcdef';

async function findsAllAtOnce(sql: SqlDatabase, engine: string): Promise<void> {
  const decisions = createDecisionRepository(sql);
  const began = performance.now();
  await fill(decisions, PROJECT);
  const seconds = (performance.now() - began) / 1000;
  const figures = [`${engine}: ${COUNT} decisions, ${Math.round(COUNT / seconds)} written a second`];
  const slow: string[] = [];
  for (const [name, filter] of SEARCHES) {
    const times: number[] = [];
    let found = 0;
    for (let each = 0; each < 3; each += 1) {
      const asked = performance.now();
      found = (await decisions.search(PROJECT, filter, { limit: PAGE })).decisions.length;
      times.push(performance.now() - asked);
    }
    figures.push(`  ${name}: ${times.map((time) => time.toFixed(1)).join(', ')} ms, ${found} found`);
    if (Math.min(...times) > MOST_MS) slow.push(name);
  }
  console.log(figures.join('\n'));
  expect(slow).toEqual([]);
}

describe(`of ${COUNT} decisions a page of any search comes within ${MOST_MS} ms`, () => {
  it(
    'from SQLite',
    async () => {
      const store = openFileStore(freshKeyFile());
      onTestFinished(() => store.close());
      await findsAllAtOnce(store.sql, 'SQLite');
    },
    TIME_LIMIT_MS,
  );

  it.skipIf(!hasPostgres)(
    'from PostgreSQL',
    async () => {
      const server = await startPostgres();
      onTestFinished(() => server.close());
      const store = await openPostgresStore(await server.freshDatabase(), { graceMs: 0 });
      onTestFinished(() => store.close());
      await findsAllAtOnce(store.sql, 'PostgreSQL');
    },
    TIME_LIMIT_MS,
  );
});
