/** A key file with two projects and a store of their policies, in a folder of their own for each test. */
import { dirname, join } from 'node:path';
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile, REQUEST, standingClock } from './store-folder.js';

export async function freshPolicies() {
  const keysFile = freshKeyFile();
  const { now, advance } = standingClock();
  const store = openFileStore(keysFile, { now });
  const { projects, policies } = store;
  await store.keys.create(REQUEST);
  const forum = (await projects.create('forum')).id;
  const shop = (await projects.list()).find(({ name }) => name === 'shop')?.id ?? '';
  /** That of the shop. */
  const file = join(dirname(keysFile), `policies.${shop}.json`);
  return { keysFile, file, store, projects, forum, shop, advance, policies };
}
