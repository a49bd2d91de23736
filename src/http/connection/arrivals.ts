/** Knows whether connections and requests still arrive: a stop waits for those on their way, so that they are told instead of cut off. */
import type { Server } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Nothing arrived for this long: whatever was on its way when the stop came is here. */
const QUIET_MS = 100;
const CHECK_MS = 20;

export interface Arrivals {
  /** Resolves once nothing has arrived for a moment, at once where that is so already, or after `longestMs`. */
  untilQuiet(longestMs: number): Promise<void>;
}

export function watchArrivals(server: Server): Arrivals {
  let latest = -Infinity;
  const note = (): void => {
    latest = performance.now();
  };
  server.on('connection', note).on('request', note);
  return {
    async untilQuiet(longestMs) {
      const end = performance.now() + longestMs;
      for (;;) {
        // A busy event loop comes to its timers before it looks for what has arrived meanwhile: let it look.
        await setImmediate();
        const now = performance.now();
        if (now - latest >= QUIET_MS || now >= end) return;
        await setTimeout(CHECK_MS);
      }
    },
  };
}
