/**
 * Policies in files, one for each project: an edit reads and writes no other project's, and lists of terms are not all in memory. Their shape, how that
 * of earlier releases becomes it, and what is asked of them.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Terms } from '../caller.js';
import { OperatorError, ServiceError, valid } from '../errors.js';
import type { ProjectRecord } from '../keys/key-record.js';
import { findProject } from '../keys/projects.js';
import { policyRecordSchema, recordAfter, type PolicyEdit, type PolicyRecord } from '../policies/policy-record.js';
import type { PolicyChange, PolicyInForce, PolicyRepository, StoredPolicy } from '../policies/policy-repository.js';
import { policyFieldsSchema } from '../policies/policy-schema.js';
import {
  historyOf,
  policyIn,
  refuseUnlessPresent,
  storedOf,
  changedFields,
  withoutEmpty,
} from '../policies/policy-versions.js';
import { termsOf } from '../policies/resolve-policy.js';
import { isSameVersion, type FileVersion } from './file-version.js';
import { JsonFile, type JsonFileOptions } from './json-file.js';

export interface FilePoliciesDeps {
  /** The path of a file that belongs to the same key file. */
  readonly beside: (what: string) => string;
  /** Whoever may read the keys must be able to read the policies, whoever made them. */
  readonly ownedLike: () => FileVersion;
  readonly projects: () => readonly ProjectRecord[];
  readonly now: () => Date;
  readonly mostCharactersKept?: number;
}

/** Of the lists of terms that are kept in memory, those that were read last: those of some hundred projects of 10,000 terms. */
const MOST_CHARACTERS_KEPT = 64e6;

/** That of a project, where it has one. */
interface PolicyFileContents {
  readonly version: 1;
  readonly record: PolicyRecord | undefined;
}

export interface FilePolicies extends PolicyRepository {
  /** @throws OperatorError while policies cannot be read; those of a single project may be found to be damaged later */
  check(): void;
}

type TermLists = ReturnType<Terms['lists']>;

interface KnownInForce {
  readonly version: FileVersion;
  readonly earlier: PolicyRecord | undefined;
  readonly inForce: PolicyInForce | undefined;
}

export function createFilePolicies({
  beside,
  ownedLike,
  projects,
  now,
  mostCharactersKept = MOST_CHARACTERS_KEPT,
}: FilePoliciesDeps): FilePolicies {
  const earlierFile = openEarlierFile({ path: beside('policies.json'), ownedLike });
  /** By digest. */
  const lists = new LRUCache<string, TermLists>({ maxSize: mostCharactersKept });
  const known = new Map<string, KnownInForce>();

  function fileOf(projectId: string): JsonFile<PolicyFileContents> {
    if (!PROJECT_ID.test(projectId)) throw new OperatorError('The key file has a project whose id is no file name.');
    return openPolicyFile({ path: beside(`policies.${projectId}.json`), ownedLike });
  }

  /** The earlier file first: what moves meanwhile is found in one of the two. */
  function recordOf(projectId: string): PolicyRecord | undefined {
    const earlier = earlierRecordOf(projectId);
    return fileOf(projectId).read().record ?? earlier;
  }

  function earlierRecordOf(projectId: string): PolicyRecord | undefined {
    return earlierFile.read().projects.get(projectId);
  }

  function inForceOf(projectId: string): PolicyInForce | undefined {
    const record = recordOf(projectId);
    if (record === undefined) return undefined;
    const { blockedTerms, ignoredTerms, ...policy } = record.policy;
    const terms = termsOf({ blockedTerms, ignoredTerms });
    return { version: record.version, policy, terms: terms && kept(projectId, terms) };
  }

  /** Keeps the lists, but not for ever. */
  function kept(projectId: string, terms: Terms): Terms {
    const { digest, characters } = terms;
    lists.set(digest, terms.lists(), { size: characters });
    return { digest, characters, lists: () => lists.get(digest) ?? readAgain(projectId, digest) };
  }

  /** @throws ServiceError where they are changed, which is seldom: what is in force was read a moment ago */
  function readAgain(projectId: string, digest: string): TermLists {
    const terms = termsOf(recordOf(projectId)?.policy ?? {});
    if (terms?.digest === digest) return terms.lists();
    throw new ServiceError('model_not_ready', 'The terms of the project were just changed. Try again.', {
      retryAfterSeconds: 1,
    });
  }

  /** Into files of their own. What is left tells earlier releases that policies are not there any more. */
  async function moveEarlier(): Promise<void> {
    const earlier = earlierFile.read();
    if (earlier.version === MOVED) return;
    for (const [projectId, record] of earlier.projects) {
      await fileOf(projectId).change((own) => ({
        next: own.record === undefined ? { ...own, record } : own,
        result: undefined,
      }));
    }
    await earlierFile.change(() => ({
      next: { version: MOVED, projects: new Map() },
      result: undefined,
    }));
  }

  async function change(
    projectId: string,
    { by, base }: PolicyChange,
    next: (before: PolicyRecord | undefined) => Omit<PolicyEdit, 'at' | 'by'>,
  ): Promise<StoredPolicy> {
    findProject(projects(), projectId);
    await moveEarlier();
    return fileOf(projectId).change((current) => {
      const before = current.record;
      refuseUnlessPresent(before, base);
      const edit = next(before);
      if (changedFields(before?.policy ?? {}, edit.policy).length === 0) {
        return { next: current, result: storedOf(projectId, before) };
      }
      const record = recordAfter(before, { ...edit, at: now().toISOString(), by });
      return { next: { ...current, record }, result: storedOf(projectId, record) };
    });
  }

  /** @throws StoreRefusal when there is no such project */
  function shownRecordOf(projectId: string): PolicyRecord | undefined {
    findProject(projects(), projectId);
    return recordOf(projectId);
  }

  return {
    check: () => void earlierFile.read(),

    inForce(projectId) {
      const earlier = earlierRecordOf(projectId);
      const version = fileOf(projectId).version();
      if (version === undefined && earlier === undefined) return undefined;
      const last = known.get(projectId);
      if (last !== undefined && last.earlier === earlier && isSameVersion(last.version, version)) return last.inForce;
      const inForce = inForceOf(projectId);
      known.set(projectId, { version, earlier, inForce });
      return inForce;
    },

    get: (projectId) => Promise.resolve().then(() => storedOf(projectId, shownRecordOf(projectId))),
    history: (projectId) => Promise.resolve().then(() => historyOf(shownRecordOf(projectId))),

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

type Place = Pick<JsonFileOptions<never>, 'path' | 'ownedLike'>;

const REMEDY = 'It was left as it is: restore it from a backup, or move it away to do without';

function openPolicyFile(place: Place): JsonFile<PolicyFileContents> {
  const schema = z.strictObject({ version: z.literal(1), record: policyRecordSchema });
  return new JsonFile<PolicyFileContents>({
    ...place,
    name: 'policy file',
    version: 1,
    empty: { version: 1, record: undefined },
    parse: (content) => schema.parse(content),
    remedy: `${REMEDY} the policy.`,
  });
}

/** All policies in one file, as earlier releases have them. */
interface EarlierFileContents {
  readonly version: 1 | typeof MOVED;
  /** By the id of the project. */
  readonly projects: ReadonlyMap<string, PolicyRecord>;
}

/** Of the file whose policies have files of their own. */
const MOVED = 2;

const PROJECT_ID = /^[\w-]{1,100}$/;

function openEarlierFile(place: Place): JsonFile<EarlierFileContents> {
  const schema = z.strictObject({
    version: z.literal([1, MOVED]),
    projects: z
      .record(z.string().regex(PROJECT_ID), policyRecordSchema)
      .transform((projects) => new Map(Object.entries(projects))),
  });
  return new JsonFile<EarlierFileContents>({
    ...place,
    name: 'policy file',
    version: MOVED,
    empty: { version: 1, projects: new Map() },
    parse: (content) => schema.parse(withVersion(content)),
    encode: ({ version, projects }) => ({ version, projects: Object.fromEntries(projects) }),
    remedy: `${REMEDY} policies.`,
  });
}

/** Called `format` once. */
function withVersion(content: unknown): unknown {
  const parsed = formatSchema.safeParse(content).data;
  if (parsed === undefined) return content;
  const { format, ...rest } = parsed;
  return { version: format, ...rest };
}

const formatSchema = z.looseObject({ format: z.number() });
