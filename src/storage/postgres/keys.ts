/** Keys in the database, and those of them that are kept for requests. */
import { valid } from '../../errors.js';
import { findKey } from '../../keys/find-key.js';
import {
  keyRequestSchema,
  overlapSchema,
  signingSecretSchema,
  type Key,
  type KeyEnvironment,
  type KeyRecord,
  type KeyRequest,
  type ProjectRecord,
} from '../../keys/key-record.js';
import type { CreatedKey, FoundKey, KeyRepository } from '../../keys/key-repository.js';
import { newKey, successorOf } from '../../keys/new-key.js';
import { findProject, newProject, refuseIfArchived } from '../../keys/projects.js';
import type { MakeChange, Note } from './changes.js';
import type { Database, Sql, Transaction } from './database.js';
import type { Change, Freshness } from './freshness.js';
import { Kept } from './kept.js';
import { insertProject, projectOf, projectsIn } from './projects.js';

const MOST_KEPT = 50_000;
/** A request waits for it. */
const FIND_DEADLINE_MS = 1000;

export interface PostgresKeysDeps {
  readonly database: Database;
  readonly change: MakeChange;
  readonly freshness: Pick<Freshness, 'onChange' | 'refresh' | 'refuseWhileAway'>;
  readonly now: () => Date;
}

export function createPostgresKeys({ database, change, freshness, now }: PostgresKeysDeps): KeyRepository {
  const byHash = keptBy('hash');
  const byId = keptBy('id');
  freshness.onChange((changes) => {
    for (const kept of [byHash, byId]) {
      if (changes === 'all') kept.drop();
      else dropChanged(kept, changes);
    }
  });

  function keptBy(column: 'hash' | 'id'): Kept<FoundKey> {
    return new Kept<FoundKey>({
      most: MOST_KEPT,
      async read(value) {
        freshness.refuseWhileAway();
        const [row] = await database.read((sql) => rowsIn(sql, sql`key.${sql(column)} = ${value}`), FIND_DEADLINE_MS);
        return row && { record: recordOf(row), project: projectOfKey(row) };
      },
    });
  }

  async function found(kept: Kept<FoundKey>, value: string): Promise<FoundKey | undefined> {
    await freshness.refresh();
    return kept.of(value);
  }

  function shown(row: KeyRow): Key {
    const { usedAt } = row;
    // A use that is still to come is of a clock that was ahead.
    const lastUsedAt = usedAt && new Date(Math.min(usedAt.getTime(), now().getTime())).toISOString();
    return { ...recordOf(row), project: row.projectName, lastUsedAt };
  }

  async function withNewKey(
    { sql, note }: { sql: Transaction; note: Note },
    project: ProjectRecord,
    request: Omit<KeyRequest, 'project'>,
  ): Promise<CreatedKey> {
    refuseIfArchived(project);
    const { key, record } = newKey(project.id, request, now());
    await insertKey(sql, record);
    note('key', record.id);
    return { key, record: { ...record, project: project.name, lastUsedAt: null } };
  }

  /** @param edit gives nothing where there is nothing to change */
  function edited(
    id: string,
    edit: (record: KeyRecord) => Partial<Pick<KeyRecord, 'revokedAt' | 'signingSecret'>> | undefined,
  ): Promise<Key> {
    return change(async (sql, note) => {
      const key = shown(findKey(await rowsIn(sql, sql`key.id = ${id}`), id));
      const edition = edit(key);
      if (edition === undefined) return key;
      await sql`update parapet.key set ${sql(edition)} where id = ${id}`;
      note('key', id);
      return { ...key, ...edition };
    });
  }

  return {
    location: database.location,
    find: (hash) => found(byHash, hash),
    findById: (id) => found(byId, id),
    list: async () => (await database.read((sql) => rowsIn(sql, sql`true`))).map(shown),

    async create(request) {
      const { project: name, ...wanted } = valid(keyRequestSchema, request);
      return change(async (sql, note) => {
        const projects = await projectsIn(sql);
        let project = projects.find((each) => each.name === name);
        if (project === undefined) {
          project = newProject(projects, name, now().toISOString());
          await insertProject(sql, project);
        }
        return withNewKey({ sql, note }, project, wanted);
      });
    },

    async createInProject(projectId, request) {
      const wanted = valid(keyRequestSchema.omit({ project: true }), request);
      return change(async (sql, note) =>
        withNewKey({ sql, note }, findProject(await projectsIn(sql), projectId), wanted),
      );
    },

    async setSigningSecret(id, secret) {
      const signingSecret = valid(signingSecretSchema, secret);
      return edited(id, () => ({ signingSecret }));
    },

    revoke: (id) =>
      edited(id, ({ revokedAt }) => (revokedAt === null ? { revokedAt: now().toISOString() } : undefined)),

    async rotate(id, { overlapMs: overlap = 0 } = {}) {
      const overlapMs = valid(overlapSchema, overlap);
      return change(async (sql, note) => {
        const row = findKey(await rowsIn(sql, sql`key.id = ${id}`), id);
        const { key, record, previous } = successorOf(recordOf(row), overlapMs, now());
        refuseIfArchived(projectOfKey(row));
        const { revokedAt, expiresAt, replacedBy } = previous;
        await sql`update parapet.key set ${sql({ revokedAt, expiresAt, replacedBy })} where id = ${id}`;
        await insertKey(sql, record);
        note('key', id);
        const shownAlike = { project: row.projectName, lastUsedAt: null };
        return { key, record: { ...record, ...shownAlike }, previous: { ...previous, ...shownAlike } };
      });
    },
  };
}

function dropChanged(kept: Kept<FoundKey>, changes: readonly Change[]): void {
  const keys = new Set(changes.filter(({ kind }) => kind === 'key').map(({ id }) => id));
  const projects = new Set(changes.filter(({ kind }) => kind === 'project').map(({ id }) => id));
  if (keys.size + projects.size > 0)
    kept.drop(({ record, project }) => keys.has(record.id) || projects.has(project.id));
}

interface KeyRow {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly environment: KeyEnvironment;
  readonly start: string;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly rateLimitPerMinute: number | null;
  readonly signingSecret: string | null;
  readonly replacedBy: string | null;
  readonly projectName: string;
  readonly projectCreatedAt: Date;
  readonly projectArchivedAt: Date | null;
  readonly usedAt: Date | null;
}

async function rowsIn(sql: Sql | Transaction, condition: ReturnType<Sql>): Promise<readonly KeyRow[]> {
  return sql<KeyRow[]>`
    select key.*, project.name as project_name, project.created_at as project_created_at,
      project.archived_at as project_archived_at, usage.used_at
    from parapet.key join parapet.project on project.id = key.project_id left join parapet.usage on usage.key_id = key.id
    where ${condition} order by key.place`;
}

async function insertKey(sql: Transaction, record: KeyRecord): Promise<void> {
  const { id, projectId, name, environment, start, hash, createdAt, expiresAt, revokedAt, rateLimitPerMinute } = record;
  const { signingSecret, replacedBy } = record;
  const row = { id, projectId, name, environment, start, hash, createdAt, expiresAt, revokedAt };
  await sql`insert into parapet.key ${sql({ ...row, rateLimitPerMinute, signingSecret, replacedBy })}`;
}

function recordOf({ id, projectId, name, environment, start, hash, ...row }: KeyRow): KeyRecord {
  const { createdAt, expiresAt, revokedAt, rateLimitPerMinute, signingSecret, replacedBy } = row;
  return {
    id,
    projectId,
    name,
    environment,
    start,
    hash,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    rateLimitPerMinute,
    ...(signingSecret !== null && { signingSecret }),
    ...(replacedBy !== null && { replacedBy }),
  };
}

function projectOfKey({ projectId, projectName, projectCreatedAt, projectArchivedAt }: KeyRow): ProjectRecord {
  return projectOf({ id: projectId, name: projectName, createdAt: projectCreatedAt, archivedAt: projectArchivedAt });
}
