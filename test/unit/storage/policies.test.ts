/** Promises of policies: versions, conflicts that say what changed, restoration, and a history that stays small. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFilePolicies } from '../../../src/storage/file-policies.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshPolicies } from './policy-folder.js';
import { freshKeyFile } from './store-folder.js';

const BY = { by: 'command line' } as const;

describe('the history of a policy', () => {
  it('of small edits of a long list takes little more than the list', async () => {
    const { policies, shop, file } = await freshPolicies();
    const terms = Array.from({ length: 10_000 }, (_, index) => `term ${index}`);
    await policies.edit(shop, () => ({ blockedTerms: terms }), BY);
    const { length } = readFileSync(file);
    for (const place of [0, 5000, 9999]) {
      await policies.edit(shop, ({ blockedTerms = [] }) => ({ blockedTerms: blockedTerms.toSpliced(place, 1) }), BY);
    }
    expect(readFileSync(file).length).toBeLessThan(length + 3000);
    expect((await policies.history(shop)).versions.at(-1)?.policy.blockedTerms).toEqual(terms);
  });
});

describe('the policy file of a project', () => {
  it('lies beside keys.json, and carries the name of any other key file', async () => {
    const folder = dirname(freshKeyFile());
    for (const [keysFile, expected] of [
      ['keys.json', 'policies'],
      ['team-a.json', 'team-a.policies'],
      ['other', 'other.policies'],
    ] as const) {
      const store = openFileStore(join(folder, keysFile));
      const { id } = await store.projects.create('shop');
      await store.policies.edit(id, () => ({ passMaxScore: 1 }), BY);
      expect(readdirSync(folder)).toContain(`${expected}.${id}.json`);
    }
    expect(readdirSync(folder)).toHaveLength(9);
  });

  it.skipIf(process.platform === 'win32')('can be read by whoever may read the keys', async () => {
    const { policies, shop, file, keysFile } = await freshPolicies();
    chmodSync(keysFile, 0o640);
    await policies.edit(shop, () => ({ passMaxScore: 1 }), BY);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['a field that it does not know', { secretly: 1 }, 'damaged (record.policy: '],
    ['a field out of range', { passMaxScore: 11 }, 'damaged (record.policy.passMaxScore: '],
  ])('with %s is refused, since a rule would silently not hold', async (_, policy, expected) => {
    const { policies, shop, forum, file } = await freshPolicies();
    const record = { version: 1, at: '2030-01-01T00:00:00.000Z', by: 'dashboard', policy, earlier: [] };
    writeFileSync(file, JSON.stringify({ version: 1, record }));
    await expect(policies.get(shop)).rejects.toThrow(expected);
    expect(() => policies.inForce(shop)).toThrow(expected);
    expect(policies.inForce(forum)).toBeUndefined();
    await policies.edit(forum, () => ({ passMaxScore: 1 }), BY);
  });

  it('tells its lists when they are asked for, in memory or not, and never others in their place', async () => {
    const { keysFile, shop, forum } = await freshPolicies();
    const policies = createFilePolicies({
      beside: (what) => join(dirname(keysFile), what),
      ownedLike: () => undefined,
      projects: () => [shop, forum].map((id) => ({ id, name: id, createdAt: '', archivedAt: null })),
      now: () => new Date(),
      mostCharactersKept: 8,
    });
    const inForceAfter = async (projectId: string, term: string) => {
      await policies.edit(projectId, () => ({ blockedTerms: [term] }), BY);
      return policies.inForce(projectId);
    };
    const first = await inForceAfter(shop, 'first');
    expect(first?.policy).toEqual({});
    const second = await inForceAfter(forum, 'second');
    const lists = [first, second].map(async (each) => each?.terms?.lists());
    expect(await Promise.all(lists)).toEqual(['[["first"],[]]', '[["second"],[]]']);
    await inForceAfter(shop, 'third');
    await expect(first?.terms?.lists()).rejects.toThrow('just changed');
    expect(await second?.terms?.lists()).toEqual('[["second"],[]]');
  });
});
