/** What the tables and dialogs of the keys' view are given: the API, and how to show what has changed. */
import type { Api } from './api.js';

export interface KeysContext {
  readonly api: Api;
  /** Reads projects and keys anew, and shows them. */
  readonly refresh: () => Promise<void>;
}
