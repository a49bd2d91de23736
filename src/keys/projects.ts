/** Finds, makes and names projects in a list of them. Pure. */
import { createHash } from 'node:crypto';
import type { ProjectRecord } from './key-record.js';
import { StoreRefusal } from '../errors.js';

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

/** @throws StoreRefusal */
export function refuseIfTaken(projects: readonly ProjectRecord[], name: string): void {
  const taken = projects.find((each) => each.name === name);
  if (taken === undefined) return;
  const [state, remedy] = taken.archivedAt === null ? ['', 'Choose'] : [', archived', 'Restore it, or choose'];
  throw new StoreRefusal(
    'conflict',
    `There is a project ${JSON.stringify(name)} already${state}. ${remedy} another name.`,
  );
}
