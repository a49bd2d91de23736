/** Promises of projects: older files are understood, nothing of them is lost, and archiving ends keys. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createKeyStore } from '../../../src/keys/key-store.js';
import { createKeyVerifier } from '../../../src/keys/key-verifier.js';
import { createProjectStore } from '../../../src/keys/project-store.js';
import { freshKeyFile, REQUEST, standingClock } from './key-file-folder.js';

function setUp() {
  const file = freshKeyFile();
  const clock = standingClock();
  return {
    file,
    clock,
    keys: createKeyStore({ file, now: clock.now }),
    projects: createProjectStore({ file, now: clock.now }),
  };
}

describe('project store', () => {
  it('finds the projects of a file that was written before there were any, with the same ids at every look', async () => {
    const { file, keys, projects } = setUp();
    await keys.create({ ...REQUEST, project: 'one' });
    await keys.create({ ...REQUEST, project: 'two' });
    expect(readFileSync(file, 'utf8')).not.toContain('"projects"');
    expect(projects.list().map(({ name }) => name)).toEqual(['one', 'two']);
    expect(createProjectStore({ file }).list()).toEqual(projects.list());
  });

  it('keeps what a newer version wrote beside it', async () => {
    const { file, keys, projects } = setUp();
    await keys.create(REQUEST);
    await projects.create('other');
    const contents = JSON.parse(readFileSync(file, 'utf8')) as { projects: object[] };
    writeFileSync(
      file,
      JSON.stringify({
        ...contents,
        later: 1,
        projects: contents.projects.map((each) => ({ ...each, colour: 'red' })),
      }),
    );
    const [shop] = projects.list();
    await projects.rename(shop?.id ?? '', 'store');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      later: 1,
      projects: [
        { name: 'store', colour: 'red' },
        { name: 'other', colour: 'red' },
      ],
    });
  });

  it('tells a renamed project from a new one of its old name', async () => {
    const { keys, projects } = setUp();
    await keys.create(REQUEST);
    const id = projects.list()[0]?.id ?? '';
    await projects.rename(id, 'store');
    await keys.create(REQUEST);
    expect(projects.list().map(({ name }) => name)).toEqual(['store', 'shop']);
    expect(new Set(projects.list().map((each) => each.id)).size).toBe(2);
    expect(keys.list().map(({ project }) => project)).toEqual(['store', 'shop']);
  });

  it('gives a new project of a name that another had an id of its own', async () => {
    const { projects } = setUp();
    const { id } = await projects.create('shop');
    await projects.rename(id, 'store');
    expect((await projects.create('shop')).id).not.toBe(id);
  });

  it('revokes the active keys of an archived project for good, and no others', async () => {
    const { file, clock, keys, projects } = setUp();
    const verifier = createKeyVerifier({ file, now: clock.now });
    const [mine, other] = [await keys.create(REQUEST), await keys.create({ ...REQUEST, project: 'other' })];
    const id = projects.list()[0]?.id ?? '';
    const archived = await projects.archive(id);
    expect((await verifier.verify(mine.key)).status).toBe('revoked');
    expect((await verifier.verify(other.key)).status).toBe('valid');
    clock.advance(1000);
    expect(await projects.archive(id)).toEqual(archived);
    await expect(keys.create(REQUEST)).rejects.toThrow('is archived');
    await expect(keys.createInProject(id, REQUEST)).rejects.toThrow('is archived');
  });

  it('takes new keys for a project that was restored, whose old ones stay revoked', async () => {
    const { file, clock, keys, projects } = setUp();
    const verifier = createKeyVerifier({ file, now: clock.now });
    const old = await keys.create(REQUEST);
    const [shop] = projects.list();
    const id = shop?.id ?? '';
    await projects.archive(id);
    const revoked = keys.list();
    expect(await projects.restore(id)).toEqual(shop);
    expect(keys.list()).toEqual(revoked);
    expect((await verifier.verify(old.key)).status).toBe('revoked');
    expect((await verifier.verify((await keys.createInProject(id, REQUEST)).key)).status).toBe('valid');
  });

  it('writes nothing to restore a project that is not archived, and knows no other id', async () => {
    const { file, keys, projects } = setUp();
    await keys.create(REQUEST);
    const before = readFileSync(file, 'utf8');
    const [shop] = projects.list();
    expect(await projects.restore(shop?.id ?? '')).toEqual(shop);
    await expect(projects.restore('prj_nobody')).rejects.toThrow('no project');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('rotates no key that an older version added to an archived project', async () => {
    const { file, keys, projects } = setUp();
    const { record } = await keys.create(REQUEST);
    await projects.archive(projects.list()[0]?.id ?? '');
    const contents = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...contents, keys: [record] }));
    await expect(keys.rotate(record.id)).rejects.toThrow('is archived');
    expect((await keys.revoke(record.id)).revokedAt).not.toBeNull();
  });

  it('refuses a name that is taken, by whomever', async () => {
    const { keys, projects } = setUp();
    await keys.create(REQUEST);
    await expect(projects.create(' shop ')).rejects.toThrow('already');
    const { id } = await projects.create('forum');
    await expect(projects.rename(id, 'shop')).rejects.toThrow('already');
    expect(projects.list().map(({ name }) => name)).toEqual(['shop', 'forum']);
    await projects.archive(id);
    await expect(projects.create('forum')).rejects.toThrow('archived. Restore it');
  });

  it('gives every project an id that says nothing but that it is one', async () => {
    const { keys, projects } = setUp();
    await keys.create(REQUEST);
    await projects.create('forum');
    for (const { id } of projects.list()) expect(id).toMatch(/^prj_[0-9a-f]{16}$/);
  });

  it('is written with the time of its creation and of its archiving', async () => {
    const { clock, projects } = setUp();
    const made = await projects.create('forum');
    expect(made).toMatchObject({ name: 'forum', createdAt: '2030-01-01T00:00:00.000Z', archivedAt: null });
    clock.advance(1000);
    const archived = await projects.archive(made.id);
    expect(archived).toEqual({ ...made, archivedAt: '2030-01-01T00:00:01.000Z' });
    expect(projects.list()).toEqual([archived]);
  });

  it('keeps the time of the revocation of keys that were revoked before their project was archived', async () => {
    const { clock, keys, projects } = setUp();
    const { record } = await keys.create(REQUEST);
    const revoked = await keys.revoke(record.id);
    clock.advance(1000);
    await projects.archive(projects.list()[0]?.id ?? '');
    expect(keys.list()).toEqual([revoked]);
  });

  it('takes keys for other projects while one is archived', async () => {
    const { keys, projects } = setUp();
    const { id } = await projects.create('forum');
    await projects.archive(id);
    await expect(keys.create(REQUEST)).resolves.toMatchObject({ record: { project: 'shop' } });
  });

  it('leaves the keys of other projects their names when one is renamed', async () => {
    const { keys, projects } = setUp();
    await keys.create(REQUEST);
    await keys.create({ ...REQUEST, project: 'forum' });
    const [shop] = projects.list();
    expect(await projects.rename(shop?.id ?? '', 'store')).toMatchObject({ id: shop?.id, name: 'store' });
    expect(keys.list().map(({ project }) => project)).toEqual(['store', 'forum']);
  });

  it('writes nothing to give a project the name that it has', async () => {
    const { file, projects } = setUp();
    const made = await projects.create('forum');
    const before = readFileSync(file, 'utf8');
    expect(await projects.rename(made.id, 'forum')).toEqual(made);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('tells refusals apart, for whoever must answer them', async () => {
    const { keys, projects } = setUp();
    const { id } = await projects.create('forum');
    await expect(projects.create('')).rejects.toMatchObject({ reason: 'invalid', message: 'name must not be empty' });
    await expect(projects.rename(id, '')).rejects.toMatchObject({ reason: 'invalid' });
    await expect(projects.create('forum')).rejects.toMatchObject({
      reason: 'conflict',
      message: 'There is a project "forum" already. Choose another name.',
    });
    await expect(projects.archive('prj_nobody')).rejects.toMatchObject({ reason: 'unknown' });
    await projects.archive(id);
    await expect(keys.create({ ...REQUEST, project: 'forum' })).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('loses no project when many are made at once', async () => {
    const { projects } = setUp();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => projects.create(name)));
    expect(
      projects
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names.sort());
  });
});
