/** Projects in the database. */
import { projectRequestSchema, type ProjectRecord } from '../../keys/key-record.js';
import type { ProjectRepository } from '../../keys/key-repository.js';
import { findProject, newProject, projectChanges, type EditProject } from '../../keys/projects.js';
import { valid } from '../../errors.js';
import type { MakeChange } from './changes.js';
import type { Database, Sql, Transaction } from './database.js';

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

export function projectOf({ id, name, createdAt, archivedAt }: ProjectRow): ProjectRecord {
  return { id, name, createdAt: createdAt.toISOString(), archivedAt: archivedAt?.toISOString() ?? null };
}

/** In the order of creation. */
export async function projectsIn(sql: Sql | Transaction): Promise<ProjectRecord[]> {
  const rows = await sql<ProjectRow[]>`select id, name, created_at, archived_at from parapet.project order by place`;
  return rows.map(projectOf);
}

export async function insertProject(sql: Transaction, project: ProjectRecord): Promise<void> {
  const { id, name, createdAt, archivedAt } = project;
  await sql`
    insert into parapet.project (id, name, created_at, archived_at) values (${id}, ${name}, ${createdAt}, ${archivedAt})`;
}

interface PostgresProjectsDeps {
  readonly database: Database;
  readonly change: MakeChange;
  readonly now: () => Date;
}

export function createPostgresProjects({ database, change, now }: PostgresProjectsDeps): ProjectRepository {
  function edited(id: string, edit: EditProject, revokedAt?: string): Promise<ProjectRecord> {
    return change(async (sql, note) => {
      const all = await projectsIn(sql);
      const old = findProject(all, id);
      const project = edit(old, all);
      if (project === old) return old;
      const { name, archivedAt } = project;
      await sql`update parapet.project set name = ${name}, archived_at = ${archivedAt} where id = ${id}`;
      if (revokedAt !== undefined) {
        await sql`update parapet.key set revoked_at = ${revokedAt} where project_id = ${id} and revoked_at is null`;
      }
      note('project', id);
      return project;
    });
  }

  return {
    list: () => database.read(projectsIn),

    async create(requested) {
      const { name } = valid(projectRequestSchema, { name: requested });
      return change(async (sql, note) => {
        const project = newProject(await projectsIn(sql), name, now().toISOString());
        await insertProject(sql, project);
        note('project', project.id);
        return project;
      });
    },

    ...projectChanges(now, edited),
  };
}
