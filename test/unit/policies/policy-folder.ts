/** A key file with two projects and a store of their policies, in a folder of their own for each test. */
import { createKeyStore } from '../../../src/keys/key-store.js';
import { createProjectStore } from '../../../src/keys/project-store.js';
import { policyFileFor } from '../../../src/policies/policy-file.js';
import { createPolicyStore } from '../../../src/policies/policy-store.js';
import { freshKeyFile, REQUEST, standingClock } from '../keys/key-file-folder.js';

export const SETTINGS = {
  passMaxScore: 3,
  blockCategories: ['threat', 'hate', 'sexual', 'self_harm', 'spam'],
  unreadable: 'fail',
} as const;

export async function freshPolicies() {
  const keysFile = freshKeyFile();
  const { now, advance } = standingClock();
  await createKeyStore({ file: keysFile, now }).create(REQUEST);
  const projects = createProjectStore({ file: keysFile, now });
  const forum = (await projects.create('forum')).id;
  // Only a key names it.
  const shop = projects.list().find(({ name }) => name === 'shop')?.id ?? '';
  return {
    keysFile,
    file: policyFileFor(keysFile),
    projects,
    forum,
    shop,
    advance,
    policies: createPolicyStore({ keysFile, now }),
  };
}
