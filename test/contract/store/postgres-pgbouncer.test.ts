/** The store behind PgBouncer in transaction mode, whose connections are another server's with each transaction. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/storage/postgres/migrations.js';
import { openPostgresStore } from '../../../src/storage/postgres/postgres-store.js';
import { hasPgBouncer, startPgBouncer } from '../../support/servers/pgbouncer.js';
import { hasPostgres, startPostgres } from '../../support/servers/postgres.js';
import { REQUEST } from '../../unit/storage/store-folder.js';

describe.skipIf(!hasPostgres || !hasPgBouncer)('behind PgBouncer', () => {
  it('the store does all that it does, as docs/operations/postgresql.md sets it up', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const bouncer = await startPgBouncer(server.port);
    onTestFinished(() => bouncer.close());
    await server.run(server.urlOf('postgres'), 'create database behind');
    await server.endAdmins();
    const url = `${server.urlOf('behind').replace(`:${server.port}/`, `:${bouncer.port}/`)}?prepare=false`;
    expect((await migrate(url)).applied).toContain('0001-store');
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(url, { graceMs: 0 })));
    for (const store of stores) onTestFinished(() => store.close());
    const [{ keys, policies }] = stores as [(typeof stores)[0]];
    const { record } = await keys.create(REQUEST);
    await policies.edit(record.projectId, () => ({ blockedTerms: ['x'] }), { by: 'dashboard' });
    const work = stores.flatMap((store): Promise<unknown>[] => [
      store.keys.list(),
      store.keys.create(REQUEST),
      store.policies.history(record.projectId),
    ]);
    await Promise.all(work);
    for (const store of stores) expect(await store.policies.inForce(record.projectId)).toMatchObject({ version: 1 });
    expect(await keys.list()).toHaveLength(4);
    await stores[1]?.keys.revoke(record.id);
    for (const store of stores) expect((await store.keys.find(record.hash))?.record.revokedAt).not.toBeNull();
  }, 60_000);
});
