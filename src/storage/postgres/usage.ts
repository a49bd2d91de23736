/** Uses of keys: collected in memory, and added to the database now and then. */
import type { UsageRepository } from '../store.js';
import { createUsage } from '../usage.js';
import type { Database } from './database.js';

interface UsageDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly onProblem: (message: string) => void;
}

export function createPostgresUsage({ database, now, onProblem }: UsageDeps): UsageRepository {
  return createUsage({
    onProblem,
    add: (uses) =>
      database.change(async (sql) => {
        const latest = now().toISOString();
        const batch = JSON.stringify([...uses].map(([id, atMs]) => ({ id, at: new Date(atMs).toISOString() })));
        // In one order in every server, so that two that write at once wait for each other and never in a circle.
        await sql`
          insert into parapet.usage (key_id, used_at)
          select id, least(at, ${latest}) from json_to_recordset(${batch}::text::json) as used (id text, at timestamptz) order by id
          on conflict (key_id) do update set used_at = greatest(usage.used_at, excluded.used_at)`;
        // A time that is still to come is of a clock that was ahead, and the use is over by now.
        await sql`update parapet.usage set used_at = ${latest} where used_at > ${latest}`;
      }),
  });
}
