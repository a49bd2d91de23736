/** Projects of the key file: those that were made as such, and those that only the keys name. Knows nothing of files. */
import { createHash } from 'node:crypto';
import type { KeyFileContents, ProjectRecord } from './key-record.js';
import { StoreRefusal } from './refusal.js';

/**
 * All projects, in the order of their creation. Files of older versions hold no projects, and a key may name one that nobody made:
 * such a project begins with its first key.
 */
export function projectsOf({ projects = [], keys }: KeyFileContents): readonly ProjectRecord[] {
  const all = new Map(projects.map((project) => [project.name, project]));
  const takenIds = new Set(projects.map(({ id }) => id));
  for (const { project: name, createdAt } of keys) {
    if (all.has(name)) continue;
    const id = freeIdFor(name, takenIds);
    takenIds.add(id);
    all.set(name, { id, name, createdAt, archivedAt: null });
  }
  return [...all.values()];
}

/** The ids of `projectsOf`, name by name and remembered: a look at all keys would hold a request up. */
export function projectIdsIn({ projects = [] }: Pick<KeyFileContents, 'projects'>): (name: string) => string {
  const known = new Map(projects.map(({ id, name }) => [name, id]));
  const taken = new Set(projects.map(({ id }) => id));
  return (name) => {
    const id = known.get(name) ?? freeIdFor(name, taken);
    known.set(name, id);
    return id;
  };
}

/** From the name, so that a project that no record keeps has the same id in every process and at every look. */
export function freeIdFor(name: string, taken: ReadonlySet<string>): string {
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
export function refuseIfArchived(contents: KeyFileContents, name: string): void {
  if (projectsOf(contents).some((project) => project.name === name && project.archivedAt !== null)) {
    throw new StoreRefusal(
      'conflict',
      `The project ${JSON.stringify(name)} is archived. Restore it on the dashboard, or use another one.`,
    );
  }
}
