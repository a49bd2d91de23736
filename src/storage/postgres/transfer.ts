/** A store in a database, to and from the items of which it is made. */
import { errorCodeOf, OperatorError } from '../../errors.js';
import type { KeyRecord, ProjectRecord } from '../../keys/key-record.js';
import { rowsOfEarlier } from '../statistics/earlier-statistics.js';
import { insertRow, rowItemsOf } from '../sql/record-rows.js';
import { NotUnique } from '../sql/sql-database.js';
import type { Store } from '../store.js';
import { contradiction, notEmpty, type StoredItem } from '../transfer/stored-item.js';
import type { MakeChange } from './changes.js';
import type { Database, Sql, Transaction } from './database.js';
import { askingOn, postgresAsSql } from './postgres-sql.js';
import { insertKey, recordOf, rowsIn } from './keys.js';
import { recordIn, writeRecord } from './policies.js';
import { insertProject, projectsIn } from './projects.js';

/** Of many thousand keys. */
const EXPORT_DEADLINE_MS = 60_000;
/** Items may come as slowly as they are read. */
const IMPORT_DEADLINE_MS = 3_600_000;

export function createPostgresTransfer(database: Database, change: MakeChange): Pick<Store, 'exportAll' | 'importAll'> {
  return {
    async *exportAll() {
      const { projects, keys } = await database.read(projectsAndKeys, EXPORT_DEADLINE_MS);
      for (const project of projects) yield { kind: 'project', project };
      for (const key of keys) yield { kind: 'key', key };
      for (const { id: projectId } of projects) {
        const record = await database.read((sql) => recordIn(sql, projectId));
        if (record !== undefined) yield { kind: 'policy', projectId, record };
      }
      const [password] = await database.read((sql) => sql<{ hash: string }[]>`select hash from parapet.admin_password`);
      if (password !== undefined) yield { kind: 'password', hash: password.hash };
      const uses = await database.read(
        (sql) => sql<{ keyId: string; usedAt: Date }[]>`select key_id, used_at from parapet.usage order by key_id`,
        EXPORT_DEADLINE_MS,
      );
      for (const { keyId, usedAt } of uses) yield { kind: 'use', keyId, at: usedAt.toISOString() };
      yield* rowItemsOf(postgresAsSql(database));
    },

    importAll(items) {
      let hasBegun = false;
      return change(async (sql, note) => {
        // What was taken from the items is gone.
        if (hasBegun) throw new OperatorError('The database was lost before anything was changed. Import again.');
        const [found] = await sql<{ filled: boolean }[]>`
          select exists (select from parapet.project) or exists (select from parapet.admin_password) as filled`;
        if (found?.filled !== false) throw notEmpty(database.location);
        hasBegun = true;
        for await (const item of items) await insertChecked(sql, item);
        note('all', '');
      }, IMPORT_DEADLINE_MS);
    },
  };
}

/** Of one moment: each key has its project. */
function projectsAndKeys(sql: Sql): Promise<{ projects: readonly ProjectRecord[]; keys: readonly KeyRecord[] }> {
  return sql.begin('isolation level repeatable read read only', async (snapshot) => ({
    projects: await projectsIn(snapshot),
    keys: (await rowsIn(snapshot, snapshot`true`)).map(recordOf),
  }));
}

/** How SQLSTATE begins where a constraint of a table is broken. */
const VIOLATION = '23';

async function insertChecked(sql: Transaction, item: StoredItem): Promise<void> {
  try {
    await insert(sql, item);
  } catch (error) {
    if (!(error instanceof NotUnique) && errorCodeOf(error)?.startsWith(VIOLATION) !== true) throw error;
    throw contradiction(`a ${item.kind} occurs twice, or is of a project that does not stand before it`);
  }
}

async function insert(sql: Transaction, item: StoredItem): Promise<void> {
  switch (item.kind) {
    case 'project':
      return insertProject(sql, item.project);
    case 'key':
      return insertKey(sql, item.key);
    case 'policy':
      return writeRecord(sql, item.projectId, item.record);
    case 'password':
      await sql`insert into parapet.admin_password (hash) values (${item.hash})`;
      return;
    case 'row':
      return insertRow(askingOn(sql), item);
    case 'use':
      // Servers on an empty database may have counted before.
      await sql`
        insert into parapet.usage (key_id, used_at) values (${item.keyId}, ${item.at})
        on conflict (key_id) do update set used_at = excluded.used_at`;
      return;
    case 'statistics':
      for (const row of rowsOfEarlier(item)) await insertRow(askingOn(sql), row);
  }
}
