/** Changes of what servers keep: one after another, each with a revision, which all servers ask for. */
import type { Change } from './freshness.js';
import type { Database, Transaction } from './database.js';
import { DatabaseAway } from './failures.js';

export type ChangeKind = 'key' | 'project' | 'policy' | 'password' | 'all';

/** To be called once by a change that changed something. Of a project: its keys too. */
export type Note = (kind: ChangeKind, id: string) => void;

export type MakeChange = <Result>(work: (sql: Transaction, note: Note) => Promise<Result>) => Promise<Result>;

/** Whoever is farther behind drops all that it keeps. */
const CHANGES_KEPT = 10_000;

/** While the work goes on nobody else changes anything, so that revisions are in the order of commit. */
export function changesOf(database: Database): MakeChange {
  return (work) =>
    database.change(async (sql) => {
      await sql`select revision from parapet.revision for update`;
      const noted: { kind: ChangeKind; id: string }[] = [];
      const result = await work(sql, (kind, id) => noted.push({ kind, id }));
      for (const { kind, id } of noted) {
        await sql`
          with next as (update parapet.revision set revision = revision + 1 returning revision),
            pruned as (delete from parapet.change using next where change.revision <= next.revision - ${CHANGES_KEPT})
          insert into parapet.change select revision, gen_random_uuid(), ${kind}, ${id} from next`;
      }
      return result;
    });
}

/** As Freshness asks for them. @throws DatabaseAway of a standby as well: it says what was so a while ago */
export async function changesSince(
  database: Database,
  since: string | undefined,
  deadlineMs: number,
): Promise<readonly Change[]> {
  const rows = await database.readAhead(
    (sql) =>
      since === undefined
        ? sql<AnsweredChange[]>`
            select revision, token, kind, id, pg_is_in_recovery() as standby from parapet.change
            where revision = (select max(revision) from parapet.change)`
        : sql<AnsweredChange[]>`
            select revision, token, kind, id, pg_is_in_recovery() as standby from parapet.change
            where revision >= ${since} order by revision`,
    deadlineMs,
  );
  if (rows[0]?.standby === true) throw new DatabaseAway(`${database.location} takes no writes.`);
  return rows;
}

type AnsweredChange = Change & { readonly standby: boolean };
