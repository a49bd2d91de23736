/** Says of a presented key whether it counts in this moment, and why not. Knows nothing of headers or status codes. */
import { OperatorError } from '../errors.js';
import { hashKey, isWellFormedKey } from './key-format.js';
import { createKeyList, type KeyListDeps } from './key-list.js';
import { keyStateAt, type KeyEnvironment } from './key-record.js';
import { createKeyUsage } from './key-usage.js';

export interface VerifiedKey {
  readonly id: string;
  readonly project: string;
  readonly environment: KeyEnvironment;
  /** Null where the server's own limit applies. */
  readonly rateLimitPerMinute: number | null;
}

type KeyVerification =
  | { readonly status: 'valid'; readonly key: VerifiedKey }
  | { readonly status: 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' }
  /** The file cannot be understood, so nobody is let in. `reason` is for the log, not for the caller. */
  | { readonly status: 'unavailable'; readonly reason: string };

export interface KeyVerifier {
  /**
   * Never throws. A key that any process revoked is refused from the first call after the revocation returned. Synchronous on
   * purpose: no request can slip in between the look at the file and the answer.
   */
  verify(presented: string | undefined): KeyVerification;
  /** Whether the key file can be understood now. A missing file can: it holds no keys. */
  isAvailable(): boolean;
  /** For the start of a server. @throws OperatorError that says what is wrong with the key file */
  assertReadable(): void;
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
  const currentList = createKeyList({ file, onReload });
  const usage = createKeyUsage({ file, onProblem: onUsageProblem });

  return {
    verify(presented) {
      if (presented === undefined || presented === '') return { status: 'missing' };
      const list = currentList();
      if (list.status === 'unavailable') return list;
      // By hash, so the time that the look-up takes says nothing about a stored key (no timing-safe comparison needed). Also of what
      // cannot be a key, so that all refusals take the same time.
      const record = list.byHash.get(hashKey(presented.slice(0, MOST_CHARACTERS_HASHED)));
      if (!isWellFormedKey(presented)) return { status: 'malformed' };
      if (record === undefined) return { status: 'unknown' };
      const at = now();
      const state = keyStateAt(record, at);
      if (state !== 'active') return { status: state };
      usage.note(record.id, at);
      const { id, project, environment, rateLimitPerMinute = null } = record;
      return { status: 'valid', key: { id, project, environment, rateLimitPerMinute } };
    },

    isAvailable: () => currentList().status === 'loaded',

    assertReadable() {
      const list = currentList();
      if (list.status === 'unavailable') throw new OperatorError(list.reason);
    },

    flushUsage: () => usage.flush(),
    close: () => usage.flush(),
  };
}
