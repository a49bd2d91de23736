/** A project's name can change, what belongs to the project stays its own, and archiving ends keys. */
import { describe, expect, it } from 'vitest';
import { REQUEST } from '../../unit/storage/store-folder.js';
import { setUp, type StoreEngine } from './store-engine.js';

export function describeProjects(engine: StoreEngine): void {
  describe('projects', () => {
    it('takes no project by the name of __proto__, by whatever way', async () => {
      const { keys, projects } = await setUp(engine);
      const { id } = await projects.create('shop');
      for (const attempt of [
        () => projects.create('__proto__'),
        () => projects.create(' __proto__ '),
        () => projects.rename(id, '__proto__'),
        () => keys.create({ ...REQUEST, project: '__proto__' }),
      ]) {
        await expect(attempt()).rejects.toMatchObject({
          reason: 'invalid',
          message: expect.stringContaining('must not be __proto__') as string,
        });
      }
      expect((await projects.list()).map(({ name }) => name)).toEqual(['shop']);
    });

    it('tells a renamed project from a new one of its old name', async () => {
      const { keys, projects } = await setUp(engine);
      await keys.create(REQUEST);
      const id = (await projects.list())[0]?.id ?? '';
      await projects.rename(id, 'store');
      await keys.create(REQUEST);
      expect((await projects.list()).map(({ name }) => name)).toEqual(['store', 'shop']);
      expect(new Set((await projects.list()).map((each) => each.id)).size).toBe(2);
      expect((await keys.list()).map(({ project }) => project)).toEqual(['store', 'shop']);
    });

    it('revokes the active keys of an archived project for good, and no others', async () => {
      const { clock, keys, projects, verifier } = await setUp(engine);
      const [mine, other] = [await keys.create(REQUEST), await keys.create({ ...REQUEST, project: 'other' })];
      const id = (await projects.list())[0]?.id ?? '';
      const archived = await projects.archive(id);
      expect((await verifier.verify(mine.key)).status).toBe('revoked');
      expect((await verifier.verify(other.key)).status).toBe('valid');
      clock.advance(1000);
      expect(await projects.archive(id)).toEqual(archived);
      await expect(keys.create(REQUEST)).rejects.toThrow('is archived');
      await expect(keys.createInProject(id, REQUEST)).rejects.toThrow('is archived');
    });

    it('refuses a name that is taken, by whomever', async () => {
      const { keys, projects } = await setUp(engine);
      await keys.create(REQUEST);
      await expect(projects.create(' shop ')).rejects.toThrow('already');
      const { id } = await projects.create('forum');
      await expect(projects.rename(id, 'shop')).rejects.toThrow('already');
      expect((await projects.list()).map(({ name }) => name)).toEqual(['shop', 'forum']);
      await projects.archive(id);
      await expect(projects.create('forum')).rejects.toThrow('archived. Restore it');
    });

    it('is written with the time of its creation and of its archiving', async () => {
      const { clock, projects } = await setUp(engine);
      const made = await projects.create('forum');
      expect(made).toMatchObject({ name: 'forum', createdAt: '2030-01-01T00:00:00.000Z', archivedAt: null });
      clock.advance(1000);
      const archived = await projects.archive(made.id);
      expect(archived).toEqual({ ...made, archivedAt: '2030-01-01T00:00:01.000Z' });
      expect(await projects.list()).toEqual([archived]);
    });

    it('keeps the time of the revocation of keys that were revoked before their project was archived', async () => {
      const { clock, keys, projects } = await setUp(engine);
      const { record } = await keys.create(REQUEST);
      const revoked = await keys.revoke(record.id);
      clock.advance(1000);
      await projects.archive((await projects.list())[0]?.id ?? '');
      expect(await keys.list()).toEqual([revoked]);
    });
  });
}
