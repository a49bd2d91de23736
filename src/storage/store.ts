/** All that is kept, behind one interface: what a store of files and one of a database have in common. */
import type { AdminPasswordHash } from '../admin-password.js';
import type { KeyRepository, ProjectRepository } from '../keys/key-repository.js';
import type { PolicyRepository } from '../policies/policy-repository.js';
import type { Statistics } from './statistics/statistics.js';
import type { SqlDatabase } from './sql/sql-database.js';
import type { StoredItem } from './transfer/stored-item.js';

export interface AdminPasswordRepository {
  /** Where it is kept, for messages to operators. */
  readonly location: string;
  /** @returns undefined where none was set. @throws OperatorError where it cannot be read */
  get(): Promise<AdminPasswordHash | undefined>;
  /** @throws OperatorError where it cannot be written */
  set(hash: AdminPasswordHash): Promise<void>;
}

/** When keys were last used; keys.list() tells it. */
export interface UsageRepository {
  note(keyId: string, at: Date): void;
  /** Meant for a timer. Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export interface Store {
  /** For messages to operators: a path, or a database without its password. */
  readonly location: string;
  readonly keys: KeyRepository;
  readonly projects: ProjectRepository;
  readonly policies: PolicyRepository;
  readonly adminPassword: AdminPasswordRepository;
  /** What is kept of people and decisions, and what was counted. */
  readonly sql: SqlDatabase;
  readonly usage: UsageRepository;
  readonly statistics: Statistics;
  /**
   * When it resolves, all that was changed before the call counts in what is read. Undefined where there is nothing to wait for. `keys.find` does
   * it by itself.
   *
   * @throws OperatorError as `check` does
   */
  refresh(): Promise<void> | undefined;
  /** @throws OperatorError while keys or policies cannot be read. The policy of a single project may be found to be damaged later */
  check(): void;
  /** All that is kept but sessions, projects first. Of what is changed meanwhile it has the state before or after. */
  exportAll(): AsyncIterable<StoredItem>;
  /**
   * Takes what another store, of any kind, has exported. Whoever rejects has kept nothing of it.
   *
   * @throws OperatorError where this store is not empty, or the items contradict each other; what the items throw
   */
  importAll(items: AsyncIterable<StoredItem>): Promise<void>;
  /** Writes what was collected of uses and statistics, and frees the rest. */
  close(): Promise<void>;
}

/** What a server goes on without: the last use of keys, statistics, and what is kept of people and decisions. */
export type Dispensable = 'keys' | 'statistics' | 'records';

export interface StoreOptions {
  readonly now?: (() => Date) | undefined;
  /** Told of what was set aside, and of the first in a row of failures to write. */
  readonly onProblem?: (message: string, of: Dispensable) => void;
  /** Told how long each look for changes took, and whether it was answered. Never of files. */
  readonly onRefresh?: ((seconds: number, answered: boolean) => void) | undefined;
}
