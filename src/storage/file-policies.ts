/** Policies in a file: its shape, how that of earlier releases becomes it, and what is asked of it. */
import { z } from 'zod';
import type { ProjectRecord } from '../keys/key-record.js';
import { findProject } from '../keys/projects.js';
import { policyRecordSchema, recordAfter, type PolicyEdit, type PolicyRecord } from '../policies/policy-record.js';
import type { PolicyChange, PolicyRepository, StoredPolicy } from '../policies/policy-repository.js';
import { policyFieldsSchema } from '../policies/policy-schema.js';
import {
  historyOf,
  policyIn,
  refuseUnlessPresent,
  storedOf,
  changedFields,
  withoutEmpty,
} from '../policies/policy-versions.js';
import { valid } from '../errors.js';
import type { FileVersion } from './file-version.js';
import { JsonFile } from './json-file.js';
import { createKnownRecords } from './known-records.js';

export interface FilePoliciesDeps {
  readonly path: string;
  /** Whoever may read the keys must be able to read the policies, whoever made them. */
  readonly ownedLike: () => FileVersion;
  readonly projects: () => readonly ProjectRecord[];
  readonly now: () => Date;
}

export function createFilePolicies({ path, ownedLike, projects, now }: FilePoliciesDeps): PolicyRepository {
  const file = openPolicyFile(path, ownedLike);

  /** @throws StoreRefusal when there is no such project */
  function recordOf(projectId: string): PolicyRecord | undefined {
    findProject(projects(), projectId);
    return file.read().projects.get(projectId);
  }

  async function change(
    projectId: string,
    { by, base }: PolicyChange,
    next: (before: PolicyRecord | undefined) => Omit<PolicyEdit, 'at' | 'by'>,
  ): Promise<StoredPolicy> {
    findProject(projects(), projectId);
    return file.change((current) => {
      const before = current.projects.get(projectId);
      refuseUnlessPresent(before, base);
      const edit = next(before);
      if (changedFields(before?.policy ?? {}, edit.policy).length === 0) {
        return { next: current, result: storedOf(projectId, before) };
      }
      const after = recordAfter(before, { ...edit, at: now().toISOString(), by });
      const edited = new Map(current.projects).set(projectId, after);
      return { next: { ...current, projects: edited }, result: storedOf(projectId, after) };
    });
  }

  return {
    revision: () => file.revision(),
    inForce: (projectId) => file.read().projects.get(projectId),

    get: (projectId) => Promise.resolve().then(() => storedOf(projectId, recordOf(projectId))),
    history: (projectId) => Promise.resolve().then(() => historyOf(recordOf(projectId))),

    async edit(projectId, edit, options) {
      return change(projectId, options, (before) => ({
        policy: withoutEmpty(valid(policyFieldsSchema, edit(before?.policy ?? {}))),
      }));
    },

    async restore(projectId, version, options) {
      return change(projectId, options, (before) => ({ policy: policyIn(before, version), restored: version }));
    },
  };
}

const VERSION = 1;

interface PolicyFileContents {
  readonly version: typeof VERSION;
  /** By the id of the project, which stays when it is renamed. */
  readonly projects: ReadonlyMap<string, PolicyRecord>;
}

function openPolicyFile(path: string, ownedLike: () => FileVersion): JsonFile<PolicyFileContents> {
  const known = createKnownRecords(policyRecordSchema);
  const schema = z.strictObject({
    version: z.literal(VERSION),
    projects: z
      .record(z.string().regex(/^[\w-]{1,100}$/), known.schema)
      .transform((projects) => new Map(Object.entries(projects))),
  });

  return new JsonFile<PolicyFileContents>({
    path,
    name: 'policy file',
    version: VERSION,
    empty: { version: VERSION, projects: new Map() },
    parse(content) {
      known.begin();
      return schema.parse(withVersion(content));
    },
    encode: ({ version, projects }) => ({ version, projects: Object.fromEntries(projects) }),
    remedy: 'It was left as it is: restore it from a backup, or move it away to do without policies.',
    ownedLike,
  });
}

/** Earlier releases called it `format`. */
function withVersion(content: unknown): unknown {
  const parsed = formatSchema.safeParse(content).data;
  if (parsed === undefined) return content;
  const { format, ...rest } = parsed;
  return { version: format, ...rest };
}

const formatSchema = z.looseObject({ format: z.number() });
