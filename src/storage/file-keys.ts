/** Projects and their keys in a file, under one lock. */
import { findKey } from '../keys/find-key.js';
import { newKey, successorOf } from '../keys/new-key.js';
import {
  keyRequestSchema,
  overlapSchema,
  projectRequestSchema,
  signingSecretSchema,
  type Key,
  type KeyRecord,
  type KeyRequest,
  type ProjectRecord,
} from '../keys/key-record.js';
import type { CreatedKey, FoundKey, KeyRepository, ProjectRepository } from '../keys/key-repository.js';
import { findProject, newProject, projectChanges, refuseIfArchived, type EditProject } from '../keys/projects.js';
import { valid } from '../errors.js';
import type { Change, JsonFile } from './json-file.js';
import type { KeyFileContents } from './key-file-shape.js';
import type { LastUses } from './usage-file.js';

export interface FileKeysDeps {
  readonly file: JsonFile<KeyFileContents>;
  readonly lastUses: () => LastUses;
  readonly now: () => Date;
}

export function createFileKeys({ file, lastUses, now }: FileKeysDeps): KeyRepository {
  let indexed: KeyFileContents | undefined;
  let byHash = new Map<string, FoundKey>();
  let byId = new Map<string, FoundKey>();

  /** What is in the file now. */
  function index(): void {
    const contents = file.read();
    if (contents === indexed) return;
    const projects = new Map(contents.projects.map((project) => [project.id, project]));
    byHash = new Map();
    byId = new Map();
    for (const record of contents.keys) {
      const project = projects.get(record.projectId);
      if (project === undefined) continue;
      const found = { record, project };
      byHash.set(record.hash, found);
      byId.set(record.id, found);
    }
    indexed = contents;
  }

  /** With the name of its project and its last use. */
  function shown({ projects }: KeyFileContents): (record: KeyRecord) => Key {
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    const uses = lastUses();
    const latestMs = now().getTime();
    return (record) => ({
      ...record,
      project: names.get(record.projectId) ?? '',
      lastUsedAt: lastUseOf(record, uses, latestMs),
    });
  }

  function withNewKey(
    contents: KeyFileContents,
    project: ProjectRecord,
    request: Omit<KeyRequest, 'project'>,
  ): Change<KeyFileContents, CreatedKey> {
    refuseIfArchived(project);
    const { key, record } = newKey(project.id, request, now());
    const next = { ...contents, keys: [...contents.keys, record] };
    return { next, result: { key, record: shown(next)(record) } };
  }

  return {
    location: file.path,

    find(hash) {
      index();
      return byHash.get(hash);
    },

    findById(id) {
      index();
      return byId.get(id);
    },

    list: () =>
      Promise.resolve().then(() => {
        const contents = file.read();
        return contents.keys.map(shown(contents));
      }),

    async create(request) {
      const { project: name, ...wanted } = valid(keyRequestSchema, request);
      return file.change((current) => {
        const known = current.projects.find((each) => each.name === name);
        if (known !== undefined) return withNewKey(current, known, wanted);
        const made = newProject(current.projects, name, now().toISOString());
        return withNewKey({ ...current, projects: [...current.projects, made] }, made, wanted);
      });
    },

    async createInProject(projectId, request) {
      const wanted = valid(keyRequestSchema.omit({ project: true }), request);
      return file.change((current) => withNewKey(current, findProject(current.projects, projectId), wanted));
    },

    async setSigningSecret(id, secret) {
      const signingSecret = valid(signingSecretSchema, secret);
      return file.change((current) => {
        const signing = { ...findKey(current.keys, id), signingSecret };
        return { next: replaced(current, signing), result: shown(current)(signing) };
      });
    },

    revoke(id) {
      return file.change((current) => {
        const record = findKey(current.keys, id);
        if (record.revokedAt !== null) return { next: current, result: shown(current)(record) };
        const revoked = { ...record, revokedAt: now().toISOString() };
        return { next: replaced(current, revoked), result: shown(current)(revoked) };
      });
    },

    async rotate(id, { overlapMs: overlap = 0 } = {}) {
      const overlapMs = valid(overlapSchema, overlap);
      return file.change((current) => {
        const old = findKey(current.keys, id);
        const { key, record, previous } = successorOf(old, overlapMs, now());
        refuseIfArchived(findProject(current.projects, old.projectId));
        const next = replaced(current, previous);
        return {
          next: { ...next, keys: [...next.keys, record] },
          result: {
            key,
            record: shown(current)(record),
            // With no look at the file of uses: whoever reads the answer of the command knows it so.
            previous: { ...shown(current)(previous), lastUsedAt: previous.lastUsedAt ?? null },
          },
        };
      });
    },
  };
}

/** The later of what the uses say and, from earlier versions, the record. A use that is still to come is of a clock that was ahead. */
function lastUseOf({ id, lastUsedAt = null }: KeyRecord, uses: LastUses, latestMs: number): string | null {
  const atMs = Math.max(uses.get(id) ?? 0, lastUsedAt === null ? 0 : Date.parse(lastUsedAt));
  return atMs === 0 ? null : new Date(Math.min(atMs, latestMs)).toISOString();
}

function replaced(contents: KeyFileContents, record: KeyRecord): KeyFileContents {
  return { ...contents, keys: contents.keys.map((each) => (each.id === record.id ? record : each)) };
}

export function createFileProjects({ file, now }: Pick<FileKeysDeps, 'file' | 'now'>): ProjectRepository {
  function change(id: string, edit: EditProject, revokedAt?: string): Promise<ProjectRecord> {
    return file.change((current) => {
      const old = findProject(current.projects, id);
      const edited = edit(old, current.projects);
      if (edited === old) return { next: current, result: old };
      const next: KeyFileContents = {
        ...current,
        projects: current.projects.map((each) => (each === old ? edited : each)),
        keys:
          revokedAt === undefined
            ? current.keys
            : current.keys.map((key) => (key.projectId === id && key.revokedAt === null ? { ...key, revokedAt } : key)),
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

    ...projectChanges(now, change),
  };
}
