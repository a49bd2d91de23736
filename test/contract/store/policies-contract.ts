/** Versions of policies, conflicts that say what changed, restoration, and a history that is bounded. */
import { describe, expect, it } from 'vitest';
import { MOST_EARLIER_VERSIONS } from '../../../src/policies/policy-record.js';
import { PolicyConflict } from '../../../src/policies/policy-repository.js';
import { setUpPolicies, type StoreEngine } from './store-engine.js';

const BY = { by: 'command line' } as const;

export function describePolicies(engine: StoreEngine): void {
  describe('the policy of a project', () => {
    it('is none until somebody makes one', async () => {
      const { policies, shop, forum } = await setUpPolicies(engine);
      for (const id of [shop, forum]) {
        expect(await policies.get(id)).toEqual({ projectId: id, version: 0, at: null, by: null, policy: {} });
        expect(await policies.history(id)).toEqual({ versions: [], oldest: 0 });
      }
    });

    it('gets a version, a time and an editor with each change, and none where nothing changes', async () => {
      const { policies, shop, forum, clock } = await setUpPolicies(engine);
      expect(await policies.edit(shop, () => ({ preset: 'adults' }), BY)).toMatchObject({
        version: 1,
        by: 'command line',
      });
      clock.advance(1000);
      const second = await policies.edit(shop, (present) => ({ ...present, passMaxScore: 9 }), {
        by: 'dashboard',
        base: 1,
      });
      expect(second).toEqual({
        projectId: shop,
        version: 2,
        at: '2030-01-01T00:00:01.000Z',
        by: 'dashboard',
        policy: { preset: 'adults', passMaxScore: 9 },
      });
      expect(await policies.edit(shop, (present) => ({ ...present, categories: { hate: {} } }), BY)).toEqual(second);
      expect(await policies.get(shop)).toEqual(second);
      expect((await policies.get(forum)).version).toBe(0);
    });

    it.each([
      [{ passMaxScore: 11 }, 'passMaxScore must be a whole number from 0 to 10'],
      [{ preset: 'mine' }, 'preset must be one of: default, news, games, adults, children'],
      [{ categories: { hate: { threshold: 2 } } }, 'categories.hate.threshold must be a number from 0 to 1'],
      [
        { categories: { hate: { action: 'block' } } },
        'categories.hate.action must be one of: fail, mask, review, report, ignore',
      ],
      [{ blockedTerms: [' '] }, 'blockedTerms.0 must not be empty'],
      [{ ignoredTerms: ['x'.repeat(101)] }, 'ignoredTerms.0 must be at most 100 characters'],
      [{ ignoredTerms: Array.from({ length: 10_001 }, (_, index) => `t${index}`) }, 'at most 10000 terms'],
      [{ unreadable: 'report' }, 'unreadable must be one of: fail, pass'],
      ['adults', 'must be an object'],
    ])('is never %j', async (policy, reason) => {
      const { policies, shop } = await setUpPolicies(engine);
      await expect(policies.edit(shop, () => policy, BY)).rejects.toMatchObject({
        reason: 'invalid',
        message: expect.stringContaining(reason) as string,
      });
      expect((await policies.get(shop)).version).toBe(0);
    });

    it('takes 100 characters of any script for a term, and each term once', async () => {
      const { policies, shop } = await setUpPolicies(engine);
      const blockedTerms = ['🙂'.repeat(100), ' word ', 'word'];
      const { policy } = await policies.edit(shop, () => ({ blockedTerms }), BY);
      expect(policy.blockedTerms).toEqual(['🙂'.repeat(100), 'word']);
    });

    it('takes one of two edits of the same version', async () => {
      const { open, shop } = await setUpPolicies(engine);
      const servers = [await open(), await open()];
      const edits = await Promise.allSettled(
        servers.map((server, passMaxScore) =>
          server.policies.edit(shop, () => ({ passMaxScore }), { by: 'dashboard', base: 0 }),
        ),
      );
      expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('is in force in every server from the first question after the change, and the same object until then', async () => {
      const { policies, store, shop, forum, open } = await setUpPolicies(engine);
      const other = await open();
      const inForce = async (projectId: string) => {
        await store.refresh();
        return policies.inForce(projectId);
      };
      expect(await inForce(shop)).toBeUndefined();
      await other.policies.edit(shop, () => ({ passMaxScore: 1, blockedTerms: ['x'], ignoredTerms: ['y'] }), BY);
      const first = await inForce(shop);
      expect(first).toMatchObject({ version: 1, policy: { passMaxScore: 1 }, terms: { characters: 2 } });
      expect(first?.policy).not.toHaveProperty('blockedTerms');
      expect(await first?.terms?.lists()).toBe('[["x"],["y"]]');
      await other.policies.edit(forum, () => ({ passMaxScore: 2 }), BY);
      expect(await inForce(forum)).toEqual({ version: 1, policy: { passMaxScore: 2 }, terms: undefined });
      expect(await inForce(shop)).toBe(first);
      await other.policies.restore(shop, 0, BY);
      expect(await inForce(shop)).toEqual({ version: 2, policy: {}, terms: undefined });
    });

    it('is not asked for of a project that is not there', async () => {
      const { policies } = await setUpPolicies(engine);
      const attempts = [
        () => policies.get('prj_none'),
        () => policies.history('prj_none'),
        () => policies.edit('prj_none', () => ({}), BY),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ reason: 'unknown' });
    });
  });

  describe('an edit of an older version', () => {
    it('is refused with what changed since, by whom and when, and changes nothing', async () => {
      const { policies, shop, clock } = await setUpPolicies(engine);
      await policies.edit(shop, () => ({ passMaxScore: 1 }), BY);
      await policies.edit(shop, () => ({ passMaxScore: 2, categories: { hate: { action: 'fail' } } }), BY);
      clock.advance(60_000);
      await policies.edit(shop, (present) => ({ ...present, blockedTerms: ['x'] }), { by: 'dashboard' });
      const edit = policies.edit(shop, () => ({ passMaxScore: 9 }), { by: 'dashboard', base: 1 });
      const error = await edit.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PolicyConflict);
      expect(error).toMatchObject({
        reason: 'conflict',
        version: 3,
        changes: [
          { version: 3, by: 'dashboard', at: '2030-01-01T00:01:00.000Z', changed: ['blockedTerms'] },
          {
            version: 2,
            by: 'command line',
            at: '2030-01-01T00:00:00.000Z',
            changed: ['passMaxScore', 'categories.hate'],
          },
        ],
        message: expect.stringContaining(
          'version 3 (dashboard, 2030-01-01T00:01:00.000Z) changed blockedTerms',
        ) as string,
      });
      expect(await policies.get(shop)).toMatchObject({ version: 3, policy: { passMaxScore: 2 } });
    });

    it('is refused as well where the version is still to come, or there is no policy', async () => {
      const { policies, shop } = await setUpPolicies(engine);
      await expect(policies.edit(shop, () => ({}), { by: 'dashboard', base: 1 })).rejects.toMatchObject({
        reason: 'conflict',
      });
      await policies.edit(shop, () => ({ passMaxScore: 1 }), { by: 'dashboard', base: 0 });
      await expect(policies.edit(shop, () => ({}), { by: 'dashboard', base: 2 })).rejects.toThrow(
        'version 1 and not 2',
      );
    });
  });

  describe('the history of a policy', () => {
    it('has every state, terms included, and each can be restored as a new version', async () => {
      const { policies, shop } = await setUpPolicies(engine);
      const states = [
        { blockedTerms: ['a', 'b', 'c'] },
        { blockedTerms: ['a', 'x', 'c', 'd'], ignoredTerms: ['Dick'] },
        { preset: 'games' },
        { blockedTerms: ['d'], passMaxScore: 0 },
        { blockedTerms: ['c', 'd', 'c2'], ignoredTerms: ['Scunthorpe', 'Dick'] },
      ] as const;
      for (const state of states) await policies.edit(shop, () => state, BY);
      const { versions, oldest } = await policies.history(shop);
      expect(versions.map(({ policy }) => policy)).toEqual([...states].reverse());
      expect([versions.map(({ version }) => version), oldest]).toEqual([[5, 4, 3, 2, 1], 0]);
      for (const [index, state] of states.entries()) {
        const restored = await policies.restore(shop, index + 1, { by: 'dashboard' });
        expect(restored).toMatchObject({ version: 6 + index, policy: state });
      }
      expect((await policies.history(shop)).versions[0]).toMatchObject({ restored: 5, by: 'dashboard' });
      expect((await policies.restore(shop, 0, BY)).policy).toEqual({});
    });

    it('is bounded in versions and says where it begins', async () => {
      const { policies, shop } = await setUpPolicies(engine);
      for (let edit = 0; edit < MOST_EARLIER_VERSIONS + 5; edit += 1) {
        await policies.edit(shop, () => ({ passMaxScore: edit % 10 }), BY);
      }
      const { versions, oldest } = await policies.history(shop);
      expect([versions.length, oldest]).toEqual([MOST_EARLIER_VERSIONS + 1, 5]);
      await expect(policies.restore(shop, 4, BY)).rejects.toThrow('the versions 5 to 105 are kept');
      await expect(policies.edit(shop, () => ({}), { ...BY, base: 1 })).rejects.toBeInstanceOf(PolicyConflict);
    }, 60_000);

    it('of replaced long lists is bounded in terms', async () => {
      const { policies, shop } = await setUpPolicies(engine);
      for (let edit = 0; edit < 5; edit += 1) {
        const blockedTerms = Array.from({ length: 10_000 }, (_, index) => `${edit} ${index}`);
        await policies.edit(shop, () => ({ blockedTerms }), BY);
      }
      expect(await policies.history(shop)).toMatchObject({ oldest: 3 });
    });
  });
}
