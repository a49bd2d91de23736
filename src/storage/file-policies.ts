/** Policies in files, one for each project: an edit reads and writes no other project's, and lists of terms are not all in memory. */
import { LRUCache } from 'lru-cache';
import type { Terms } from '../caller.js';
import { OperatorError, ServiceError } from '../errors.js';
import type { ProjectRecord } from '../keys/key-record.js';
import { findProject } from '../keys/projects.js';
import type { PolicyRecord } from '../policies/policy-record.js';
import type { PolicyInForce, PolicyRepository, StoredPolicy } from '../policies/policy-repository.js';
import { historyOf, policyChanges, storedOf } from '../policies/policy-versions.js';
import type { WrittenTerms } from '../policies/resolve-policy.js';
import { createJobThread } from '../threads/job-thread.js';
import { isSameVersion, type FileVersion } from './file-version.js';
import type { JsonFile } from './json-file.js';
import {
  MOVED,
  openEarlierFile,
  openPolicyFile,
  policyReadOf,
  PROJECT_ID,
  type PolicyFileContents,
  type PolicyRead,
} from './policy-file.js';
import type { PolicyFileRead } from './policy-worker.js';

export interface FilePoliciesDeps {
  /** The path of a file that belongs to the same key file. */
  readonly beside: (what: string) => string;
  /** Whoever may read the keys must be able to read the policies, whoever made them. */
  readonly ownedLike: () => FileVersion;
  readonly projects: () => readonly ProjectRecord[];
  readonly now: () => Date;
  readonly mostCharactersKept?: number;
  /** Of the built thread that reads long files; for tests. */
  readonly workerUrl?: URL | undefined;
}

/** Of the lists of terms that are kept in memory, those that were read last: those of some hundred projects of 10,000 terms. */
const MOST_CHARACTERS_KEPT = 64e6;

export interface FilePolicies extends PolicyRepository {
  /** @throws OperatorError while policies cannot be read; those of a single project may be found to be damaged later */
  check(): void;
  /** Undefined where it has none. @throws OperatorError as `get` does */
  recordOf(projectId: string): PolicyRecord | undefined;
  fileOf(projectId: string): JsonFile<PolicyFileContents>;
  close(): Promise<void>;
}

/** Longer files are read by another thread: 10,000 terms of twelve words, 0.9 MB, take 40 ms and more. */
const MOST_BYTES_AT_ONCE = 64 * 1024;

const READER = {
  workerUrl: new URL('./policy-worker.js', import.meta.url),
  idleMs: 60_000,
  /** Of files that wait to be read. */
  mostWaitingBytes: 128 * 2 ** 20,
  namesOf: () => 'policies',
};

interface KnownInForce {
  readonly version: FileVersion;
  readonly earlier: PolicyRecord | undefined;
  /** A promise while it is read. */
  inForce: ReturnType<PolicyRepository['inForce']>;
}

export function createFilePolicies({
  beside,
  ownedLike,
  projects,
  now,
  mostCharactersKept = MOST_CHARACTERS_KEPT,
  workerUrl = READER.workerUrl,
}: FilePoliciesDeps): FilePolicies {
  const earlierFile = openEarlierFile({ path: beside('policies.json'), ownedLike });
  /** By digest. */
  const lists = new LRUCache<string, string>({ maxSize: mostCharactersKept });
  const known = new Map<string, KnownInForce>();
  const reader = createJobThread<string>({ ...READER, workerUrl });

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

  /** What the project's own file says. */
  function readOwn(projectId: string): PolicyRead | undefined | Promise<PolicyRead | undefined> {
    const file = fileOf(projectId);
    const bytes = Number(file.version()?.size ?? 0);
    if (bytes <= MOST_BYTES_AT_ONCE) return policyReadOf(file.read().record);
    return reader.submit<PolicyFileRead>(file.path, bytes).then(({ read, refusal }) => {
      if (refusal !== undefined) throw new OperatorError(refusal);
      return read;
    });
  }

  function inForceOf(projectId: string, read: PolicyRead | undefined): PolicyInForce | undefined {
    return read && { ...read, terms: read.terms && kept(projectId, read.terms) };
  }

  /** Keeps the lists, but not for ever. */
  function kept(projectId: string, { digest, characters, lists: text }: WrittenTerms): Terms {
    lists.set(digest, text, { size: characters });
    return { digest, characters, lists: () => lists.get(digest) ?? readAgain(projectId, digest) };
  }

  /** @throws ServiceError where they are changed, which is seldom: what is in force was read a moment ago */
  async function readAgain(projectId: string, digest: string): Promise<string> {
    const earlier = earlierRecordOf(projectId);
    const { terms } = (await readOwn(projectId)) ?? policyReadOf(earlier) ?? {};
    if (terms?.digest === digest) return terms.lists;
    throw new ServiceError('model_not_ready', 'The terms of the project were just changed. Try again.', {
      retryAfterSeconds: 1,
    });
  }

  /** A refusal is not remembered: its cause may pass. */
  async function settle(projectId: string, entry: KnownInForce): Promise<void> {
    try {
      entry.inForce = await entry.inForce;
    } catch {
      if (known.get(projectId) === entry) known.delete(projectId);
    }
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
    next: (before: PolicyRecord | undefined) => PolicyRecord | undefined,
  ): Promise<StoredPolicy> {
    findProject(projects(), projectId);
    await moveEarlier();
    return fileOf(projectId).change((current) => {
      const record = next(current.record);
      if (record === undefined) return { next: current, result: storedOf(projectId, current.record) };
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
    recordOf,
    fileOf,
    close: () => reader.close(),

    inForce(projectId) {
      const earlier = earlierRecordOf(projectId);
      const version = fileOf(projectId).version();
      if (version === undefined && earlier === undefined) return undefined;
      const last = known.get(projectId);
      if (last !== undefined && last.earlier === earlier && isSameVersion(last.version, version)) return last.inForce;
      const own = readOwn(projectId);
      const inForceAfter = (read: PolicyRead | undefined) => inForceOf(projectId, read ?? policyReadOf(earlier));
      const entry: KnownInForce = {
        version,
        earlier,
        inForce: own instanceof Promise ? own.then(inForceAfter) : inForceAfter(own),
      };
      known.set(projectId, entry);
      if (own instanceof Promise) void settle(projectId, entry);
      return entry.inForce;
    },

    get: (projectId) => Promise.resolve().then(() => storedOf(projectId, shownRecordOf(projectId))),
    history: (projectId) => Promise.resolve().then(() => historyOf(shownRecordOf(projectId))),
    ...policyChanges(now, change),
  };
}
