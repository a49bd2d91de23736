/** Who wants a text judged, as far as judging it depends on that. All layers pass it on. */
import type { GiveUpSignal } from './give-up.js';

export interface Asker {
  /** Whose share of the workers it takes; undefined is a share of its own. */
  readonly project?: string | undefined;
  /** Aborts when the answer is of no use any more. */
  readonly signal?: GiveUpSignal | undefined;
}
