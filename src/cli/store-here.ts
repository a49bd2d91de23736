/** The store that the settings of this process name. */
import { stderr } from 'node:process';
import { storePlace } from '../config/config.js';
import { openStore } from '../storage/open-store.js';
import type { Store } from '../storage/store.js';

/** @throws OperatorError as openStore does */
export function openStoreHere(): Promise<Store> {
  return openStore(storePlace(), {
    onProblem: (message, of) => {
      // The others are told by the server, and nothing is lost by them.
      if (of === 'records') stderr.write(`${message}\n`);
    },
  });
}
