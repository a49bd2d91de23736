/** Finds a key by its id. Pure. */
import { StoreRefusal } from '../errors.js';
import type { KeyRecord } from './key-record.js';

/** @throws StoreRefusal when there is none */
export function findKey<Found extends Pick<KeyRecord, 'id'>>(keys: readonly Found[], id: string): Found {
  const found = keys.find((each) => each.id === id);
  if (found !== undefined) return found;
  // Whoever pastes the key itself must not find it in a log of error messages.
  throw new StoreRefusal(
    'unknown',
    id.startsWith('sk_')
      ? 'That is a key. Give its id instead (key_…), which the list shows.'
      : `There is no key with the id ${JSON.stringify(id)}. The list shows all ids.`,
  );
}
