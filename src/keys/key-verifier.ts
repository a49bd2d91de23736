/** Says of a presented key whether it counts in this moment, and why not. Knows nothing of headers or status codes. */
import { OperatorError } from '../errors.js';
import { hashKey, isWellFormedKey } from './key-format.js';
import { createKeyList, type KeyList, type KeyListDeps } from './key-list.js';
import { keyStateAt, type KeyEnvironment } from './key-record.js';
import { createKeyUsage } from './key-usage.js';

export interface VerifiedKey {
  readonly id: string;
  readonly project: string;
  /** Stays when the project is renamed. */
  readonly projectId: string;
  readonly environment: KeyEnvironment;
  /** Null where the server's own limit applies. */
  readonly rateLimitPerMinute: number | null;
}

export type KeyVerification =
  | { readonly status: 'valid'; readonly key: VerifiedKey }
  | { readonly status: 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' }
  /** The file cannot be understood, so nobody is let in. `reason` is for the log, not for the caller. */
  | { readonly status: 'unavailable'; readonly reason: string };

export interface KeyVerifier {
  /**
   * Never throws or rejects. A key that any process revoked is refused from the first call after the revocation returned: the
   * answer comes from a look at the file in this moment, or from a reading that began since. That reading is what a promise is for.
   */
  verify(presented: string | undefined): KeyVerification | Promise<KeyVerification>;
  /** Whether the key file can be understood now (while a large one is read: could be before). A missing file can: it holds no keys. */
  isAvailable(): boolean;
  /** For the start of a server. @returns the number of active keys. @throws OperatorError that says what is wrong with the key file */
  countActive(): Promise<number>;
  /** Writes when keys were last used; meant for a timer. Never rejects. */
  flushUsage(): Promise<void>;
  /** Flushes a last time. Call it when no more requests come. */
  close(): Promise<void>;
}

export interface KeyVerifierDeps extends KeyListDeps {
  readonly now?: () => Date;
  /** Told of the first in a row of failures to write usage. Requests never notice. */
  readonly onUsageProblem?: (message: string) => void;
}

/** More than a key has: a header may be kilobytes long, and it is the caller who chooses. */
const MOST_CHARACTERS_HASHED = 64;

export function createKeyVerifier(deps: KeyVerifierDeps): KeyVerifier {
  const { file, now = () => new Date(), onReload, onUsageProblem } = deps;
  const keys = createKeyList({ file, onReload });
  const usage = createKeyUsage({ file, now, onProblem: onUsageProblem });

  function verifyIn(list: KeyList, presented: string): KeyVerification {
    if (list.status === 'unavailable') return list;
    // By hash, so the time that the look-up takes says nothing about a stored key (no timing-safe comparison needed). Also of what
    // cannot be a key, so that all refusals take the same time.
    const record = list.find(hashKey(presented.slice(0, MOST_CHARACTERS_HASHED)));
    if (!isWellFormedKey(presented)) return { status: 'malformed' };
    if (record === undefined) return { status: 'unknown' };
    const at = now();
    const state = keyStateAt(record, at);
    if (state !== 'active') return { status: state };
    usage.note(record.id, at);
    const { id, project, environment, rateLimitPerMinute = null } = record;
    const projectId = list.projectIdOf(project);
    return { status: 'valid', key: { id, project, projectId, environment, rateLimitPerMinute } };
  }

  return {
    verify(presented) {
      if (presented === undefined || presented === '') return { status: 'missing' };
      const list = keys.list();
      return list instanceof Promise ? list.then((read) => verifyIn(read, presented)) : verifyIn(list, presented);
    },

    isAvailable() {
      const list = keys.list();
      return (list instanceof Promise ? keys.latest() : list)?.status === 'loaded';
    },

    async countActive() {
      const list = await keys.list();
      if (list.status === 'unavailable') throw new OperatorError(list.reason);
      const at = now();
      return list.keys.filter((key) => keyStateAt(key, at) === 'active').length;
    },

    flushUsage: () => usage.flush(),
    close: () => usage.flush(),
  };
}
