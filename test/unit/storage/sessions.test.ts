/** Promises of the file of sessions beyond those of every store: what becomes of a sign-in that it cannot hold. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile, standingClock } from './store-folder.js';

const LIMITS = { idleMs: 1000, absoluteMs: 3000, most: 3 } as const;

function setUp() {
  const keysFile = freshKeyFile();
  const { now } = standingClock();
  const { sessions } = openFileStore(keysFile);
  return {
    file: join(dirname(keysFile), 'keys.sessions.json'),
    other: openFileStore(keysFile).sessions,
    sessions,
    now,
    start: (idHash: string) => sessions.start(idHash, now(), LIMITS),
  };
}

describe('sessions', () => {
  it('hold in one server where the file cannot be had, and end there', async () => {
    const { start, sessions, other, now, file } = setUp();
    mkdirSync(file);
    await start('a');
    await sessions.use('a', now());
    expect(await sessions.find('a')).toBeDefined();
    expect(await other.find('a')).toBeUndefined();
    await sessions.end('a');
    expect(await sessions.find('a')).toBeUndefined();
  });

  it('are none in a damaged file, which the next sign-in replaces', async () => {
    const { start, sessions, other, file } = setUp();
    await start('a');
    writeFileSync(file, '{');
    expect(await sessions.find('a')).toBeUndefined();
    await start('b');
    expect(await other.find('b')).toBeDefined();
  });
});
