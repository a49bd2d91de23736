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
  /** Undefined where this process counts alone. */
  readonly limits: SharedLimits | undefined;
  /** Goes on trying, and nobody waits for it: until then this process counts alone. */
  connect(): void;
  close(): Promise<void>;
}

export interface SharedLimits {
  isAnswering(): boolean;
  /** How often this process counted alone, because there was no answer. */
  countedAlone(): number;
}

const ALONE = { limits: undefined, connect: () => undefined, close: () => Promise.resolve() } as const;

export async function openSharing({ valkeyUrl, onProblem }: SharingOptions): Promise<Sharing> {
  let countedAlone = 0;
  const insurance = (): LocalCounter => new LocalCounter(() => (countedAlone += 1));
  const limits = (isAnswering: () => boolean): SharedLimits => ({ isAnswering, countedAlone: () => countedAlone });

  if (valkeyUrl !== undefined) {
    const [{ connectValkey }, { createValkeyCounter }] = await Promise.all([
      import('./valkey.js'),
      import('./valkey-counters.js'),
    ]);
    const valkey = connectValkey(valkeyUrl, onProblem);
    return {
      createCounter: (of) => createValkeyCounter(valkey, of, insurance()),
      limits: limits(valkey.asking.isAnswering),
      // Told by an event as well.
      connect: () => void valkey.client.connect().catch(() => undefined),
      close: () => Promise.resolve(valkey.client.disconnect()),
    };
  }
  if (cluster.isWorker) {
    const { createClusterCounter } = await import('./cluster-counters.js');
    return {
      createCounter: (of) => createClusterCounter(of, insurance()),
      ...ALONE,
    };
  }
  return { createCounter: () => new LocalCounter(), ...ALONE };
}
