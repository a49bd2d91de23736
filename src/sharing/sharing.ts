/**
 * What several servers have in common beside the store: counters of limits, and what they know of texts. Loads the driver of what the settings
 * name, and nothing else.
 */
import cluster from 'node:cluster';
import { LocalCounter, type CreateCounter } from '../http/auth/rate-limit.js';
import type { OnProblem } from './asking.js';

export interface SharingOptions {
  readonly valkeyUrl: string | undefined;
  readonly onProblem: OnProblem;
}

export interface Sharing {
  readonly createCounter: CreateCounter;
  readonly limits: SharedLimits;
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

export async function openSharing({ valkeyUrl, onProblem }: SharingOptions): Promise<Sharing> {
  let counted = 0;
  const insurance = (): LocalCounter => new LocalCounter(() => (counted += 1));
  const countedAlone = (): number => counted;
  const alone: Sharing = {
    createCounter: () => new LocalCounter(),
    limits: { isAway: () => false, countedAlone },
    connect: () => undefined,
    close: () => Promise.resolve(),
  };

  if (valkeyUrl !== undefined) {
    const [{ connectValkey }, { createValkeyCounter }] = await Promise.all([
      import('./valkey.js'),
      import('./valkey-counters.js'),
    ]);
    const { client, asking } = connectValkey(valkeyUrl, onProblem);
    return {
      createCounter: (of) => createValkeyCounter({ client, asking }, of, insurance()),
      limits: { isAway: () => asking.isAway(), countedAlone },
      // Told by an event as well.
      connect: () => void client.connect().catch(() => undefined),
      close() {
        client.disconnect();
        return Promise.resolve();
      },
    };
  }
  if (cluster.isWorker) {
    const { createClusterCounter } = await import('./cluster-counters.js');
    return { ...alone, createCounter: (of) => createClusterCounter(of, insurance()) };
  }
  return alone;
}
