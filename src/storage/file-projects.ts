/** Projects in the file of their keys, under the same lock. */
import { projectRequestSchema, type KeyRecord, type ProjectRecord } from '../keys/key-record.js';
import type { ProjectRepository } from '../keys/key-repository.js';
import { findProject, newProject, refuseIfTaken } from '../keys/projects.js';
import { valid } from '../keys/valid.js';
import type { FileKeysDeps } from './file-keys.js';
import type { KeyFileContents } from './key-file.js';

export function createFileProjects({ file, now }: Pick<FileKeysDeps, 'file' | 'now'>): ProjectRepository {
  /** @param edit gives the very record that it gets where there is nothing to change */
  function change(
    id: string,
    edit: (project: ProjectRecord, all: readonly ProjectRecord[]) => ProjectRecord,
    editKey = (key: KeyRecord): KeyRecord => key,
  ): Promise<ProjectRecord> {
    return file.change((current) => {
      const old = findProject(current.projects, id);
      const edited = edit(old, current.projects);
      if (edited === old) return { next: current, result: old };
      const next: KeyFileContents = {
        ...current,
        projects: current.projects.map((each) => (each === old ? edited : each)),
        keys: current.keys.map((key) => (key.projectId === id ? editKey(key) : key)),
      };
      return { next, result: edited };
    });
  }

  return {
    list: () => Promise.resolve().then(() => file.read().projects),

    async create(requested) {
      const { name } = valid(projectRequestSchema, { name: requested });
      return file.change((current) => {
        const project = newProject(current.projects, name, now().toISOString());
        return { next: { ...current, projects: [...current.projects, project] }, result: project };
      });
    },

    async rename(id, requested) {
      const { name } = valid(projectRequestSchema, { name: requested });
      return change(id, (project, all) => {
        if (project.name === name) return project;
        refuseIfTaken(all, name);
        return { ...project, name };
      });
    },

    archive(id) {
      const at = now().toISOString();
      return change(
        id,
        (project) => (project.archivedAt === null ? { ...project, archivedAt: at } : project),
        (key) => (key.revokedAt === null ? { ...key, revokedAt: at } : key),
      );
    },

    restore: (id) =>
      change(id, (project) => (project.archivedAt === null ? project : { ...project, archivedAt: null })),
  };
}
