/** What keys and projects are asked for, wherever they are kept. Every method says with an OperatorError what an operator can mend. */
import type { Key, KeyRecord, KeyRequest, ProjectRecord } from './key-record.js';

export interface FoundKey {
  readonly record: KeyRecord;
  readonly project: ProjectRecord;
}

export interface CreatedKey {
  /** The only time that it can be seen. */
  readonly key: string;
  readonly record: Key;
}

export interface RotatedKey extends CreatedKey {
  /** The old key, as it is from now on, without its last use. */
  readonly previous: Key;
}

/** Whoever rejects has changed nothing. A refusal that is no fault is a StoreRefusal. */
export interface KeyRepository {
  /** Where they are kept, for messages to operators. */
  readonly location: string;
  /**
   * The key of this moment: a change that was reported before the question counts. At once where keys are at hand; a promise
   * where somebody else must be asked.
   */
  find(hash: string): FoundKey | undefined | Promise<FoundKey | undefined>;
  /** As `find`, by its id. */
  findById(id: string): FoundKey | undefined | Promise<FoundKey | undefined>;
  /** In the order of creation. */
  list(): Promise<readonly Key[]>;
  /** A project that has no key yet begins with it. */
  create(request: KeyRequest): Promise<CreatedKey>;
  createInProject(projectId: string, request: Omit<KeyRequest, 'project'>): Promise<CreatedKey>;
  /** With what its caller signs, from now on in every running server. A key that replaces it has none. */
  setSigningSecret(id: string, secret: string): Promise<Key>;
  /** When it resolves, the key fails in every running server. Revoking again changes nothing. */
  revoke(id: string): Promise<Key>;
  /**
   * Puts a new key with the same project, name, environment, rate limit and lifetime in place of an active one, which is revoked
   * now or expires after `overlapMs`.
   */
  rotate(id: string, options?: { overlapMs?: number }): Promise<RotatedKey>;
}

/** As above. */
export interface ProjectRepository {
  /** In the order of creation. */
  list(): Promise<readonly ProjectRecord[]>;
  create(name: string): Promise<ProjectRecord>;
  rename(id: string, name: string): Promise<ProjectRecord>;
  /** Revokes all of its keys in the same change, for good, and takes no new ones. Archiving again changes nothing. */
  archive(id: string): Promise<ProjectRecord>;
  /** Takes new keys again; those that archiving revoked stay so. Restoring one that is not archived changes nothing. */
  restore(id: string): Promise<ProjectRecord>;
}
