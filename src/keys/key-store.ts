/** Creates, lists, revokes and rotates keys in the key file. Knows nothing of requests; the verifier answers those. */
import { readKeyFile, updateKeyFile } from './key-file.js';
import { createKeySecret, randomBase62 } from './key-format.js';
import {
  keyRequestSchema,
  keyStateAt,
  overlapSchema,
  type KeyFileContents,
  type KeyRecord,
  type KeyRequest,
} from './key-record.js';
import { withItsLastUse, withLastUse } from './key-usage.js';
import { findProject, projectsOf, refuseIfArchived } from './project-record.js';
import { StoreRefusal } from './refusal.js';
import { valid } from './valid.js';

export interface CreatedKey {
  /** The only time that it can be seen. */
  readonly key: string;
  readonly record: KeyRecord;
}

interface RotatedKey extends CreatedKey {
  /** The old key, as it is from now on. */
  readonly previous: KeyRecord;
}

/** Every method rejects (list: throws) with an OperatorError that says what to mend, and then has changed nothing. */
export interface KeyStore {
  create(request: KeyRequest): Promise<CreatedKey>;
  /** As `create`, in the project with this id, whatever it is called by the time of writing. */
  createInProject(projectId: string, request: Omit<KeyRequest, 'project'>): Promise<CreatedKey>;
  /** In the order of creation, with their last use. */
  list(): readonly KeyRecord[];
  /** When it resolves, the key fails in every running server. Revoking again changes nothing. */
  revoke(id: string): Promise<KeyRecord>;
  /**
   * Puts a new key with the same project, name, environment, rate limit and lifetime in place of an active one, which is revoked
   * now or expires after `overlapMs`.
   */
  rotate(id: string, options?: { overlapMs?: number }): Promise<RotatedKey>;
}

export interface KeyStoreDeps {
  readonly file: string;
  readonly now?: () => Date;
}

export function createKeyStore({ file, now = () => new Date() }: KeyStoreDeps): KeyStore {
  return {
    async create(request) {
      const created = newKey(valid(keyRequestSchema, request), now());
      return updateKeyFile(file, (current) => {
        refuseIfArchived(current, created.record.project);
        return { next: { ...current, keys: [...current.keys, created.record] }, result: created };
      });
    },

    async createInProject(projectId, request) {
      const wanted = valid(keyRequestSchema.omit({ project: true }), request);
      return updateKeyFile(file, (current) => {
        const { name: project } = findProject(projectsOf(current), projectId);
        refuseIfArchived(current, project);
        const created = newKey({ ...wanted, project }, now());
        return { next: { ...current, keys: [...current.keys, created.record] }, result: created };
      });
    },

    list: () => withLastUse(file, readKeyFile(file).keys, now()),

    async revoke(id) {
      const revoked = await updateKeyFile(file, (current) => {
        const record = find(current, id);
        if (record.revokedAt !== null) return { next: current, result: record };
        const revoked = { ...record, revokedAt: now().toISOString() };
        return { next: replaced(current, revoked), result: revoked };
      });
      return withItsLastUse(file, revoked, now());
    },

    async rotate(id, { overlapMs: overlap = 0 } = {}) {
      const overlapMs = valid(overlapSchema, overlap);
      return updateKeyFile(file, (current) => {
        const at = now();
        const old = find(current, id);
        refuseUnlessRotatable(old, at);
        refuseIfArchived(current, old.project);
        const created = newKey(
          {
            project: old.project,
            name: old.name,
            environment: old.environment,
            rateLimitPerMinute: old.rateLimitPerMinute ?? null,
            // The same time to live: a key that was meant to expire must not become eternal by rotation.
            expiresInMs: old.expiresAt === null ? null : Date.parse(old.expiresAt) - Date.parse(old.createdAt),
          },
          at,
        );
        const previous = { ...old, ...endOf(old, overlapMs, at), replacedBy: created.record.id };
        const { keys, ...rest } = replaced(current, previous);
        return { next: { ...rest, keys: [...keys, created.record] }, result: { ...created, previous } };
      });
    },
  };
}

function newKey(request: KeyRequest, now: Date): CreatedKey {
  const { key, hash, start } = createKeySecret(request.environment);
  const record: KeyRecord = {
    id: `key_${randomBase62(16)}`,
    project: request.project,
    name: request.name,
    environment: request.environment,
    start,
    hash,
    createdAt: now.toISOString(),
    expiresAt: request.expiresInMs === null ? null : new Date(now.getTime() + request.expiresInMs).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
    rateLimitPerMinute: request.rateLimitPerMinute,
  };
  return { key, record };
}

function refuseUnlessRotatable(record: KeyRecord, now: Date): void {
  if (record.replacedBy !== undefined) {
    // A second successor would inherit the overlap as its lifetime, and nobody would know which of the two is in use.
    throw new StoreRefusal(
      'conflict',
      `The key ${record.id} was rotated before. Its successor is ${record.replacedBy}.`,
    );
  }
  const state = keyStateAt(record, now);
  if (state !== 'active')
    throw new StoreRefusal('conflict', `The key ${record.id} is ${state}. Create a new one instead.`);
}

/** The overlap never prolongs a key that expires earlier by itself. */
function endOf(old: KeyRecord, overlapMs: number, now: Date): Partial<Pick<KeyRecord, 'revokedAt' | 'expiresAt'>> {
  if (overlapMs === 0) return { revokedAt: now.toISOString() };
  const ownEnd = old.expiresAt === null ? Infinity : Date.parse(old.expiresAt);
  return { expiresAt: new Date(Math.min(ownEnd, now.getTime() + overlapMs)).toISOString() };
}

function find(contents: KeyFileContents, id: string): KeyRecord {
  const record = contents.keys.find((each) => each.id === id);
  if (record !== undefined) return record;
  // Whoever pastes the key itself must not find it in a log of error messages.
  throw new StoreRefusal(
    'unknown',
    id.startsWith('sk_')
      ? 'That is a key. Give its id instead (key_…), which the list shows.'
      : `There is no key with the id ${JSON.stringify(id)}. The list shows all ids.`,
  );
}

function replaced(contents: KeyFileContents, record: KeyRecord): KeyFileContents {
  return { ...contents, keys: contents.keys.map((each) => (each.id === record.id ? record : each)) };
}
