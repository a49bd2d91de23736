/** Says of a presented key whether it counts in this moment, and why not. Knows nothing of headers or status codes. */
import { OperatorError } from '../errors.js';
import { hashKey, isWellFormedKey } from './key-format.js';
import { keyStateAt, type KeyEnvironment } from './key-record.js';
import type { FoundKey, KeyRepository } from './key-repository.js';

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
  | { readonly status: 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'wrong_signature' }
  /** Keys cannot be read, so nobody is let in. `reason` is for the log, not for the caller. */
  | { readonly status: 'unavailable'; readonly reason: string };

export interface KeyVerifier {
  /**
   * Never throws or rejects. A key that any process revoked is refused from the first call after the revocation returned. A
   * promise only where the repository answers with one.
   */
  verify(presented: string | undefined): KeyVerification | Promise<KeyVerification>;
  /**
   * Of a request that is signed in place of showing the key.
   *
   * @param isSigned whether it is signed with this secret; compares in constant time
   */
  verifySigned(id: string, isSigned: (secret: string) => boolean): KeyVerification | Promise<KeyVerification>;
}

export interface KeyVerifierDeps {
  readonly keys: Pick<KeyRepository, 'find' | 'findById'>;
  /** Told of each use of a valid key. */
  readonly onUse: (id: string, at: Date) => void;
  /** Called once for every new reason why keys cannot be read; for the log. */
  readonly onProblem?: (problem: string) => void;
  readonly now?: () => Date;
}

/** More than a key has: a header may be kilobytes long, and it is the caller who chooses. */
const MOST_CHARACTERS_HASHED = 64;

export function createKeyVerifier({ keys, onUse, onProblem, now = () => new Date() }: KeyVerifierDeps): KeyVerifier {
  let lastReason: string | undefined;

  /** @param refusal what else speaks against it */
  function verificationOf(found: FoundKey | undefined, refusal?: 'malformed' | 'wrong_signature'): KeyVerification {
    lastReason = undefined;
    if (refusal !== undefined) return { status: refusal };
    if (found === undefined) return { status: 'unknown' };
    const at = now();
    const state = keyStateAt(found.record, at);
    if (state !== 'active') return { status: state };
    const { id, environment, rateLimitPerMinute = null } = found.record;
    const { id: projectId, name: project } = found.project;
    onUse(id, at);
    return { status: 'valid', key: { id, project, projectId, environment, rateLimitPerMinute } };
  }

  function unavailable(error: unknown): KeyVerification & { readonly status: 'unavailable' } {
    const reason = error instanceof OperatorError ? error.message : `Keys cannot be read: ${String(error)}`;
    if (reason !== lastReason) onProblem?.(reason);
    lastReason = reason;
    return { status: 'unavailable', reason };
  }

  function verified(
    find: () => ReturnType<KeyRepository['find']>,
    verificationOfFound: (found: FoundKey | undefined) => KeyVerification,
  ): KeyVerification | Promise<KeyVerification> {
    try {
      const found = find();
      return found instanceof Promise ? found.then(verificationOfFound).catch(unavailable) : verificationOfFound(found);
    } catch (error) {
      return unavailable(error);
    }
  }

  return {
    verify(presented) {
      if (presented === undefined || presented === '') return { status: 'missing' };
      return verified(
        // By hash, so the time that the look-up takes says nothing about a stored key (no timing-safe comparison needed). Also of
        // what cannot be a key, so that all refusals take the same time.
        () => keys.find(hashKey(presented.slice(0, MOST_CHARACTERS_HASHED))),
        (found) => verificationOf(found, isWellFormedKey(presented) ? undefined : 'malformed'),
      );
    },

    verifySigned: (id, isSigned) =>
      verified(
        () => keys.findById(id),
        (found) => {
          const secret = found?.record.signingSecret;
          if (secret === undefined) return verificationOf(undefined);
          return verificationOf(found, isSigned(secret) ? undefined : 'wrong_signature');
        },
      ),
  };
}
