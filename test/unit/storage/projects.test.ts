/** Promises of projects: a name can change, what belongs to the project stays its own, and archiving ends keys. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile, REQUEST, standingClock } from './store-folder.js';

function setUp() {
  const file = freshKeyFile();
  const clock = standingClock();
  const store = openFileStore(file, { now: clock.now });
  return { file, clock, store, keys: store.keys, projects: store.projects };
}

describe('project store', () => {
  it('rotates no key that somebody added to an archived project', async () => {
    const { file, keys, projects } = setUp();
    const { record } = await keys.create(REQUEST);
    await projects.archive((await projects.list())[0]?.id ?? '');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/"revokedAt": "[^"]*"/, '"revokedAt": null'));
    await expect(keys.rotate(record.id)).rejects.toThrow('is archived');
    expect((await keys.revoke(record.id)).revokedAt).not.toBeNull();
  });
});
