/**
 * What several servers have in common beside the store: counters of limits, and what they know of texts. Loads the driver of what the settings
 * name, and nothing else.
 */
import cluster from 'node:cluster';
import { LocalCounter, type CreateCounter } from '../http/auth/rate-limit.js';
import type { SharedProbabilities } from '../moderation/shared-probabilities.js';

export interface SharingOptions {
  readonly valkeyUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Of probabilities, in Valkey. */
  readonly sharedCache: boolean;
  /** Why there is no answer, and undefined when there is one again. Without what was asked: that could be a key. */
  readonly onProblem: (problem: string | undefined, of: 'limits' | 'cache') => void;
}

export interface Sharing {
  readonly createCounter: CreateCounter;
  readonly limits: SharedLimits;
  /** Absent where none are to be shared. */
  readonly probabilities?: SharedProbabilities;
  /** Goes on trying, and nobody waits for it: until then this process counts alone. */
  connect(): void;
  close(): Promise<void>;
}

export interface SharedLimits {
  /** Whether what counts for all servers does not answer. */
  isAway(): boolean;
  /** How often this process counted in its place. */
  countedAlone(): number;
}

export async function openSharing({
  valkeyUrl,
  databaseUrl,
  sharedCache,
  onProblem,
}: SharingOptions): Promise<Sharing> {
  let counted = 0;
  const insurance = (): LocalCounter => new LocalCounter(() => (counted += 1));
  const onLimits = (problem: string | undefined): void => onProblem(problem, 'limits');
  const countedAlone = (): number => counted;
  const alone: Sharing = {
    createCounter: () => new LocalCounter(),
    limits: { isAway: () => false, countedAlone },
    connect: () => undefined,
    close: () => Promise.resolve(),
  };

  if (valkeyUrl !== undefined) {
    const [{ connectValkey }, { createValkeyCounter }, { createValkeyProbabilities }] = await Promise.all([
      import('./valkey.js'),
      import('./valkey-counters.js'),
      import('./valkey-probabilities.js'),
    ]);
    const { client, asking } = connectValkey(valkeyUrl, onLimits);
    return {
      createCounter: (of) => createValkeyCounter({ client, asking }, of, insurance()),
      limits: { isAway: () => asking.isAway(), countedAlone },
      ...(sharedCache && {
        probabilities: createValkeyProbabilities({ client }, (problem) => onProblem(problem, 'cache')),
      }),
      // Told by an event as well.
      connect: () => void client.connect().catch(() => undefined),
      close() {
        client.disconnect();
        return Promise.resolve();
      },
    };
  }
  if (databaseUrl !== undefined) {
    const { createPostgresCounters } = await import('./postgres-counters.js');
    const counters = createPostgresCounters(databaseUrl, onLimits);
    return {
      ...alone,
      createCounter: (of) => counters.create(of, insurance()),
      limits: { isAway: () => counters.asking.isAway(), countedAlone },
      close: () => counters.close(),
    };
  }
  if (cluster.isWorker) {
    const { createClusterCounter } = await import('./cluster-counters.js');
    return { ...alone, createCounter: (of) => createClusterCounter(of, insurance()) };
  }
  return alone;
}
