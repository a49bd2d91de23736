/** A call of a classifier: its caller may give it up, and its place may be given to another project. Does no work itself. */
import { setMaxListeners } from 'node:events';
import type { Asker } from '../../asker.js';
import type { Admitted } from './admission.js';

export interface Call extends Admitted {
  /** Aborts with the reason of the caller's signal, or with the error of the refusal. */
  readonly signal: AbortSignal;
  /** A worker begins with it. */
  readonly begin: () => void;
  /** It listens to its caller no more. */
  end(): void;
}

export function createCall({ project, signal }: Asker): Call {
  const controller = new AbortController();
  // Each slice of a long text listens; Node takes more than ten listeners for a leak.
  setMaxListeners(0, controller.signal);
  let hasBegun = false;
  const giveUp = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) giveUp();
  else signal?.addEventListener('abort', giveUp, { once: true });
  return {
    project,
    signal: controller.signal,
    get hasBegun() {
      return hasBegun;
    },
    begin: () => {
      hasBegun = true;
    },
    refuse(error: Error): void {
      controller.abort(error);
    },
    end(): void {
      signal?.removeEventListener('abort', giveUp);
    },
  };
}
