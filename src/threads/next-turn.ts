/** For work that comes in steps: lets the event loop see what has arrived meanwhile. */
import { setImmediate } from 'node:timers/promises';

/** The first immediate may still be of the turn in which a socket or a file was read; before the second, others are. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
