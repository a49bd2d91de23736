/** A call of a classifier: its caller may give it up, and its place may be given to another project. Does no work itself. */
import type { Asker } from '../../asker.js';
import { GiveUp, reasonOf, type GiveUpSignal } from '../../give-up.js';
import type { Admitted } from './admission.js';

export interface Call extends Admitted {
  /** Aborts with the reason of the caller's signal, or with the error of the refusal. */
  readonly signal: GiveUpSignal;
  /** A worker begins with it. */
  readonly begin: () => void;
  /** It listens to its caller no more. */
  end(): void;
}

export function createCall({ project, signal }: Asker): Call {
  const own = new GiveUp();
  let hasBegun = false;
  const giveUp = (): void => {
    if (signal !== undefined) own.abort(reasonOf(signal));
  };
  if (signal?.aborted === true) giveUp();
  else signal?.addEventListener('abort', giveUp, { once: true });
  return {
    project,
    signal: own,
    get hasBegun() {
      return hasBegun;
    },
    begin: () => {
      hasBegun = true;
    },
    refuse(error: Error): void {
      own.abort(error);
    },
    end(): void {
      signal?.removeEventListener('abort', giveUp);
    },
  };
}
