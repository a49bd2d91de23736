/** The hash of the owner's password. */
import { formatAdminPasswordHash, parseAdminPasswordHash } from '../../admin-password.js';
import type { AdminPasswordRepository } from '../store.js';
import type { MakeChange } from './changes.js';
import type { Database } from './database.js';

export function createPostgresPassword(database: Database, change: MakeChange): AdminPasswordRepository {
  return {
    location: database.location,
    async get() {
      const [row] = await database.read((sql) => sql<{ hash: string }[]>`select hash from parapet.admin_password`);
      return row && parseAdminPasswordHash(row.hash);
    },
    set: (hash) =>
      change(async (sql, note) => {
        await sql`
          insert into parapet.admin_password (hash) values (${formatAdminPasswordHash(hash)})
          on conflict (only_one) do update set hash = excluded.hash`;
        note('password', '');
      }),
  };
}
