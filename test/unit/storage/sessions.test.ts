/** Promises of the file of sessions: what it forgets, and what becomes of a sign-in that it cannot hold. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { freshKeyFile, standingClock } from './store-folder.js';

const LIMITS = { idleMs: 1000, absoluteMs: 3000, most: 3 } as const;

function setUp() {
  const keysFile = freshKeyFile();
  const { now, advance } = standingClock();
  const { sessions } = openFileStore(keysFile);
  return {
    file: join(dirname(keysFile), 'keys.sessions.json'),
    other: openFileStore(keysFile).sessions,
    sessions,
    now,
    advance,
    start: (idHash: string) => sessions.start(idHash, now(), LIMITS),
  };
}

describe('sessions', () => {
  it('are those of all servers of the folder, with their last use', async () => {
    const { start, sessions, other, now, advance } = setUp();
    const startedAt = now();
    await start('a');
    advance(500);
    await other.use('a', now());
    expect(await sessions.find('a')).toEqual({ startedAt, usedAt: now() });
    await other.end('a');
    expect(await sessions.find('a')).toBeUndefined();
    await sessions.use('a', now());
    expect(await other.find('a')).toBeUndefined();
  });

  it('are forgotten by the next sign-in where they are over', async () => {
    const { start, sessions, now, advance, file } = setUp();
    for (const each of ['idle', 'old']) await start(each);
    for (let used = 0; used < 4; used += 1) {
      advance(750);
      await sessions.use('old', now());
    }
    await start('new');
    expect(Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { sessions: object }).sessions)).toEqual(['new']);
  });

  it('beyond the most that there may be end the one that was idle for longest', async () => {
    const { start, sessions, now, advance } = setUp();
    for (const each of ['a', 'b', 'c']) {
      await start(each);
      advance(1);
    }
    await sessions.use('a', now());
    await start('d');
    const found = await Promise.all(['a', 'b', 'c', 'd'].map((each) => sessions.find(each)));
    expect(found.map((each) => each !== undefined)).toEqual([true, false, true, true]);
  });

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
