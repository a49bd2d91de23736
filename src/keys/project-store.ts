/** Creates, renames, archives and restores projects in the key file, under the same lock as keys. */
import { readKeyFile, updateKeyFile } from './key-file.js';
import { projectRequestSchema, type KeyFileContents, type ProjectRecord } from './key-record.js';
import type { KeyStoreDeps } from './key-store.js';
import { findProject, freeIdFor, projectsOf } from './project-record.js';
import { StoreRefusal } from './refusal.js';
import { valid } from './valid.js';

/** Every method rejects (list: throws) with an OperatorError that says what to mend, and then has changed nothing. */
export interface ProjectStore {
  /** In the order of creation. */
  list(): readonly ProjectRecord[];
  create(name: string): Promise<ProjectRecord>;
  /** Its keys are named with it, in the same write. */
  rename(id: string, name: string): Promise<ProjectRecord>;
  /** Revokes all of its keys in the same write, for good, and takes no new ones. Archiving again changes nothing. */
  archive(id: string): Promise<ProjectRecord>;
  /** Takes new keys again; those that archiving revoked stay so. Restoring one that is not archived changes nothing. */
  restore(id: string): Promise<ProjectRecord>;
}

export function createProjectStore({ file, now = () => new Date() }: KeyStoreDeps): ProjectStore {
  return {
    list: () => projectsOf(readKeyFile(file)),

    async create(requested) {
      const { name } = valid(projectRequestSchema, { name: requested });
      return updateKeyFile(file, (current) => {
        const projects = projectsOf(current);
        refuseIfTaken(projects, name);
        const id = freeIdFor(name, new Set(projects.map((each) => each.id)));
        const project: ProjectRecord = { id, name, createdAt: now().toISOString(), archivedAt: null };
        return { next: { ...current, projects: [...projects, project] }, result: project };
      });
    },

    async rename(id, requested) {
      const { name } = valid(projectRequestSchema, { name: requested });
      return updateKeyFile(file, (current) => {
        const projects = projectsOf(current);
        const old = findProject(projects, id);
        if (old.name === name) return { next: current, result: old };
        refuseIfTaken(projects, name);
        const renamed = { ...old, name };
        const keys = current.keys.map((key) => (key.project === old.name ? { ...key, project: name } : key));
        return { next: withProject({ ...current, keys }, projects, renamed), result: renamed };
      });
    },

    archive(id) {
      return updateKeyFile(file, (current) => {
        const projects = projectsOf(current);
        const old = findProject(projects, id);
        if (old.archivedAt !== null) return { next: current, result: old };
        const at = now().toISOString();
        const archived = { ...old, archivedAt: at };
        const keys = current.keys.map((key) =>
          key.project === old.name && key.revokedAt === null ? { ...key, revokedAt: at } : key,
        );
        return { next: withProject({ ...current, keys }, projects, archived), result: archived };
      });
    },

    restore(id) {
      return updateKeyFile(file, (current) => {
        const projects = projectsOf(current);
        const old = findProject(projects, id);
        if (old.archivedAt === null) return { next: current, result: old };
        const restored = { ...old, archivedAt: null };
        return { next: withProject(current, projects, restored), result: restored };
      });
    },
  };
}

function withProject(
  contents: KeyFileContents,
  projects: readonly ProjectRecord[],
  changed: ProjectRecord,
): KeyFileContents {
  return { ...contents, projects: projects.map((each) => (each.id === changed.id ? changed : each)) };
}

function refuseIfTaken(projects: readonly ProjectRecord[], name: string): void {
  const taken = projects.find((each) => each.name === name);
  if (taken === undefined) return;
  const [state, remedy] = taken.archivedAt === null ? ['', 'Choose'] : [', archived', 'Restore it, or choose'];
  throw new StoreRefusal(
    'conflict',
    `There is a project ${JSON.stringify(name)} already${state}. ${remedy} another name.`,
  );
}
