/** The contract of the store on PostgreSQL. */
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../src/storage/postgres/postgres-store.js';
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/servers/postgres.js';
import { describeStore } from './store-contract.js';

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await startPostgres();
    databaseUrl = await server.freshDatabase();
  });
  afterAll(() => server.close());

  describeStore('PostgreSQL', {
    async fresh() {
      await server.empty(databaseUrl);
      return async (options) => {
        const store = await openPostgresStore(databaseUrl, { graceMs: 0, ...options });
        onTestFinished(() => store.close());
        return store;
      };
    },
  });
});
