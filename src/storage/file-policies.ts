/** Policies in a file. */
import type { ProjectRecord } from '../keys/key-record.js';
import { findProject } from '../keys/projects.js';
import { valid } from '../keys/valid.js';
import { changedFields, withoutEmpty } from '../policies/changed-fields.js';
import { recordAfter, type PolicyEdit, type PolicyRecord } from '../policies/policy-record.js';
import type { PolicyChange, PolicyRepository, StoredPolicy } from '../policies/policy-repository.js';
import { policyFieldsSchema } from '../policies/policy-schema.js';
import { historyOf, policyIn, refuseUnlessPresent, storedOf } from '../policies/policy-versions.js';
import type { JsonFile } from './json-file.js';
import type { PolicyFileContents } from './policy-file.js';

export interface FilePoliciesDeps {
  readonly file: JsonFile<PolicyFileContents>;
  readonly projects: () => readonly ProjectRecord[];
  readonly now: () => Date;
}

export function createFilePolicies({ file, projects, now }: FilePoliciesDeps): PolicyRepository {
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
