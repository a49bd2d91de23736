/** All that is kept, behind one interface: what a store of files and one of a database have in common. */
import type { AdminPasswordHash } from '../admin-password.js';
import type { KeyRepository, ProjectRepository } from '../keys/key-repository.js';
import type { PolicyRepository } from '../policies/policy-repository.js';
import type { Answered, Statistics } from './statistics-record.js';

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

export interface StatisticsRepository {
  note(answered: Answered): void;
  /** Of all servers up to their last flush, and of this one up to now. Never rejects. */
  current(): Promise<Statistics>;
  /** As above. */
  flush(): Promise<void>;
}

export interface Store {
  readonly keys: KeyRepository;
  readonly projects: ProjectRepository;
  readonly policies: PolicyRepository;
  readonly adminPassword: AdminPasswordRepository;
  readonly usage: UsageRepository;
  readonly statistics: StatisticsRepository;
}
