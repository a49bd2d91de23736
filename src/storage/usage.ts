/** When keys were last used: collected in memory, and added to what is kept now and then. */
import { messageOf } from '../errors.js';
import type { UsageRepository } from './store.js';
import { latestUses, type LastUses } from './usage-file.js';
import { createWriteBehind } from './write-behind.js';

interface UsageDeps {
  /** To what is kept. */
  readonly add: (uses: LastUses) => Promise<void>;
  /** Told of the first in a row of failures to write: a read-only folder would else be reported every minute. */
  readonly onProblem: (message: string) => void;
}

export function createUsage({ add, onProblem }: UsageDeps): UsageRepository {
  const behind = createWriteBehind<Map<string, number>>({
    empty: () => new Map(),
    isEmpty: ({ size }) => size === 0,
    add,
    sumOf: latestUses,
    onFailure: (error) => onProblem(`The last use of keys could not be written: ${messageOf(error)}`),
  });
  return {
    note(keyId, at) {
      const pending = behind.pending();
      pending.set(keyId, Math.max(at.getTime(), pending.get(keyId) ?? 0));
    },
    flush: () => behind.flush(),
  };
}
