/** A database whose disk is really full, under load: every request is answered, changes are made or refused, and all goes on once there is space. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.js';
import { errorCodeOf, messageOf } from '../../src/errors.js';
import { startCopies } from '../support/copies.js';
import { counted, outcomeOf, startLoad, type Asked } from '../support/load.js';
import { hasPostgres, startPostgresIn } from '../support/servers/postgres.js';
import { eventually } from '../support/service.js';
import { REQUEST } from '../unit/storage/store-folder.js';

const GRACE_MS = 2000;
/** What the files of a new database and its log take, and a little more. */
const DISK = '144m';
const MOST_CHANGES = 20_000;

const disk = smallDisk();

/** A file system of its own. @returns undefined where none may be mounted */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true });
    process.stderr.write(
      `SKIPPED: a full disk, since no small one can be mounted here (${messageOf(error).trim()}).\n`,
    );
    return undefined;
  }
}

/** Takes all that is free on the disk. */
function fill(file: string): void {
  const opened = openSync(file, 'a');
  for (let size = 1024 * 1024; size >= 1;) {
    try {
      writeSync(opened, Buffer.alloc(size));
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOSPC') throw error;
      size = Math.floor(size / 16);
    }
  }
  closeSync(opened);
}

afterAll(() => {
  if (disk === undefined) return;
  execFileSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true });
});

describe.skipIf(!hasPostgres || disk === undefined)('a database with a full disk', () => {
  it('refuses what it cannot keep, lets no revoked key in, and is as before once there is space', async () => {
    const server = await startPostgresIn(disk ?? '', 'max_wal_size=32MB', 'min_wal_size=32MB');
    onTestFinished(() => server.close());
    const databaseUrl = await server.freshDatabase();
    const store = await openPostgresStore(databaseUrl, { graceMs: 0 });
    onTestFinished(() => store.close());
    const [steady, revoked, other] = [
      await store.keys.create(REQUEST),
      await store.keys.create(REQUEST),
      await store.keys.create(REQUEST),
    ];
    const [copy] = await startCopies(
      [
        {
          DATABASE_URL: databaseUrl,
          STORE_GRACE_SECONDS: String(GRACE_MS / 1000),
          RATE_LIMIT_PER_MINUTE: '0',
          FAILED_KEYS_PER_MINUTE: '0',
        },
      ],
      (clean) =>
        onTestFinished(async () => {
          await clean();
        }),
    );
    const address = copy?.address ?? '';
    const load = startLoad({ address, keys: [steady.key, steady.key, revoked.key, revoked.key] });
    await load.further(100);
    await store.keys.revoke(revoked.record.id);
    const revokedAtMs = performance.now();

    const ballast = join(disk ?? '', 'ballast');
    let refusal = '';
    for (let count = 0; count < MOST_CHANGES && refusal === ''; count += 1) {
      if (count % 50 === 0) fill(ballast);
      await store.keys.create(REQUEST).catch((error: unknown) => (refusal = messageOf(error)));
    }
    expect(refusal).toContain('has a full disk');
    await load.further(100);
    expect(await outcomeOf({ address, key: steady.key })).toBe('200');

    const switchedAtMs = performance.now();
    // Its log needs another file, which it cannot have: the server ends, and does not come up.
    await server.run(server.urlOf('postgres'), 'select pg_switch_wal()').catch(() => undefined);
    fill(ballast);
    await eventually(
      () => outcomeOf({ address, key: other.key }),
      (outcome) => outcome === '503 keys_unavailable',
    );
    const awayAtMs = performance.now();
    await setTimeout(GRACE_MS);
    await load.further(50);
    const refused = await store.keys.revoke(other.record.id).then(
      () => 'revoked',
      (error: unknown) => (error as Error).name,
    );
    expect(refused).toBe('OperatorError');
    const spaceAtMs = performance.now();

    rmSync(ballast);
    await server.endAdmins();
    await server.start();
    for (const { key } of [steady, other]) {
      await eventually(
        () => outcomeOf({ address, key }),
        (outcome) => outcome === '200',
      );
    }
    await store.keys.revoke(other.record.id);
    expect(await outcomeOf({ address, key: other.key })).toBe('401 unauthorized');
    await load.further(100);
    const asked = await load.stop();

    const outcomes = (of: (each: Asked) => boolean): string[] => Object.keys(counted(asked.filter(of)));
    console.info(counted(asked));
    expect(outcomes(({ outcome }) => !/^(?:200|401 unauthorized|503 keys_unavailable)$/.test(outcome))).toEqual([]);
    expect(outcomes(({ key, startedAtMs }) => key === revoked.key && startedAtMs >= revokedAtMs)).not.toContain('200');
    const whileAway = ({ startedAtMs, endedAtMs }: Asked): boolean =>
      startedAtMs >= awayAtMs + GRACE_MS && endedAtMs <= spaceAtMs;
    expect(outcomes(whileAway)).toEqual(['503 keys_unavailable']);
    expect(outcomes(({ key, endedAtMs }) => key === steady.key && endedAtMs < switchedAtMs)).toEqual(['200']);
  }, 180_000);
});
