/** Who may use the dashboard: the hash of the password, and who is signed in. */
import { formatAdminPasswordHash, parseAdminPasswordHash } from '../../admin-password.js';
import type { AdminPasswordRepository, SessionRecord, SessionRepository } from '../store.js';
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

export function createPostgresSessions(database: Database): SessionRepository {
  return {
    find: async (idHash) => {
      const [row] = await database.read(
        (sql) => sql<SessionRecord[]>`select started_at, used_at from parapet.session where id_hash = ${idHash}`,
      );
      return row;
    },
    start: (idHash, at, { idleMs, absoluteMs, most }) =>
      database.change(async (sql) => {
        const before = (ms: number) => new Date(at.getTime() - ms);
        await sql`
          delete from parapet.session where used_at <= ${before(idleMs)} or started_at <= ${before(absoluteMs)}
            or id_hash in (select id_hash from parapet.session order by used_at desc offset ${most - 1})`;
        await sql`insert into parapet.session (id_hash, started_at, used_at) values (${idHash}, ${at}, ${at})`;
      }),
    use: (idHash, at) =>
      database.change(async (sql) => {
        await sql`update parapet.session set used_at = ${at} where id_hash = ${idHash}`;
      }),
    end: (idHash) =>
      database.change(async (sql) => {
        await sql`delete from parapet.session where id_hash = ${idHash}`;
      }),
  };
}
