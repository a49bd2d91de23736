/** The promise that a store of the size that is served moves with nothing lost, and on a busy machine in minutes. */
import { expect, it, onTestFinished } from 'vitest';
import { newKey } from '../../src/keys/new-key.js';
import { newProject } from '../../src/keys/projects.js';
import type { ProjectRecord } from '../../src/keys/key-record.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.js';
import type { Store } from '../../src/storage/store.js';
import type { StoredItem } from '../../src/storage/transfer/stored-item.js';
import { hasPostgres, startPostgres } from '../support/servers/postgres.js';
import { freshKeyFile, REQUEST } from '../unit/storage/store-folder.js';

const PROJECTS = 1000;
const KEYS = 10_000;
const TERMS = 100;
const MOST_MINUTES = 5;

function* madeUp(): Generator<StoredItem> {
  const projects: ProjectRecord[] = [];
  for (let index = 0; index < PROJECTS; index += 1) {
    projects.push(newProject(projects, `project ${index}`, '2030-01-01T00:00:00.000Z'));
  }
  for (const project of projects) yield { kind: 'project', project };
  for (let index = 0; index < KEYS; index += 1) {
    const { record } = newKey(projects[index % PROJECTS]?.id ?? '', REQUEST, new Date('2030-01-01T00:00:00.000Z'));
    yield { kind: 'key', key: record };
  }
  for (const { id: projectId } of projects) {
    const blockedTerms = Array.from({ length: TERMS }, (_, index) => `term ${index} of ${projectId}`);
    const stamp = { version: 1, at: '2030-01-01T00:00:00.000Z', by: 'dashboard' } as const;
    yield { kind: 'policy', projectId, record: { ...stamp, policy: { blockedTerms }, earlier: [] } };
  }
}

async function* late(items: Iterable<StoredItem>): AsyncGenerator<StoredItem> {
  for (const item of items) yield await Promise.resolve(item);
}

async function exported(store: Store): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const item of store.exportAll()) items.push(item);
  return items;
}

it.skipIf(!hasPostgres)(
  `${KEYS} keys and ${PROJECTS} policies move from files to PostgreSQL and back within ${MOST_MINUTES} minutes`,
  async () => {
    const items = [...madeUp()];
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const files = openFileStore(freshKeyFile());
    const database = await openPostgresStore(await server.freshDatabase(), { graceMs: 0 });
    onTestFinished(() => database.close());
    const back = openFileStore(freshKeyFile());
    const begunMs = performance.now();
    await files.importAll(late(items));
    await database.importAll(files.exportAll());
    await back.importAll(database.exportAll());
    console.info(`three imports and two exports: ${((performance.now() - begunMs) / 1000).toFixed(1)} s`);
    expect(await exported(back)).toEqual(items);
  },
  MOST_MINUTES * 60_000,
);
