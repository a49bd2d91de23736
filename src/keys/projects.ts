/** Finds, makes and changes projects in a list of them. Knows nothing of where they are kept. */
import { createHash } from 'node:crypto';
import { projectRequestSchema, type ProjectRecord } from './key-record.js';
import type { ProjectRepository } from './key-repository.js';
import { StoreRefusal, valid } from '../errors.js';

/** @throws StoreRefusal where the name is taken */
export function newProject(projects: readonly ProjectRecord[], name: string, createdAt: string): ProjectRecord {
  refuseIfTaken(projects, name);
  return { id: freeIdFor(name, new Set(projects.map(({ id }) => id))), name, createdAt, archivedAt: null };
}

/** From the name: files of version 1 keep no record of a project that only keys name, and every look must give it the same id. */
function freeIdFor(name: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHash('sha256').update(`${attempt}:${name}`).digest('hex');
    const id = `prj_${digest.slice(0, 16)}`;
    if (!taken.has(id)) return id;
  }
}

/** @throws StoreRefusal when there is none */
export function findProject(projects: readonly ProjectRecord[], id: string): ProjectRecord {
  const project = projects.find((each) => each.id === id);
  if (project === undefined) throw new StoreRefusal('unknown', 'There is no project with this id.');
  return project;
}

/** @throws StoreRefusal when the project is archived: its keys are revoked, and it gets no new ones */
export function refuseIfArchived({ name, archivedAt }: ProjectRecord): void {
  if (archivedAt === null) return;
  throw new StoreRefusal(
    'conflict',
    `The project ${JSON.stringify(name)} is archived. Restore it on the dashboard, or use another one.`,
  );
}

/** @returns the very project that it gets where there is nothing to change */
export type EditProject = (project: ProjectRecord, all: readonly ProjectRecord[]) => ProjectRecord;

/** @param write writes what `edit` makes of a project, and revokes its active keys where `revokedAt` is given */
export function projectChanges(
  now: () => Date,
  write: (id: string, edit: EditProject, revokedAt?: string) => Promise<ProjectRecord>,
): Pick<ProjectRepository, 'rename' | 'archive' | 'restore'> {
  return {
    async rename(id, requested) {
      const { name } = valid(projectRequestSchema, { name: requested });
      return write(id, (project, all) => {
        if (project.name === name) return project;
        refuseIfTaken(all, name);
        return { ...project, name };
      });
    },
    archive(id) {
      const at = now().toISOString();
      return write(id, (project) => (project.archivedAt === null ? { ...project, archivedAt: at } : project), at);
    },
    restore: (id) => write(id, (project) => (project.archivedAt === null ? project : { ...project, archivedAt: null })),
  };
}

/** @throws StoreRefusal */
function refuseIfTaken(projects: readonly ProjectRecord[], name: string): void {
  const taken = projects.find((each) => each.name === name);
  if (taken === undefined) return;
  const [state, remedy] = taken.archivedAt === null ? ['', 'Choose'] : [', archived', 'Restore it, or choose'];
  throw new StoreRefusal(
    'conflict',
    `There is a project ${JSON.stringify(name)} already${state}. ${remedy} another name.`,
  );
}
