/** Promises of the `keys` command to people and scripts: what goes to which stream, and the exit status. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runKeysCli } from '../../../src/cli/keys-command.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import { hashKey, isWellFormedKey } from '../../../src/keys/key-format.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { outcomeOf } from '../../support/command-outcome.js';
import { freshKeyFile, REQUEST, standingClock, verifierOf } from '../storage/store-folder.js';

function setUp(secret?: string) {
  const file = freshKeyFile();
  const clock = standingClock();
  const opened = openFileStore(file, { now: clock.now });
  const store = opened.keys;
  const run = (...argv: string[]) =>
    outcomeOf((streams) =>
      runKeysCli(argv, {
        openStore: () => Promise.resolve(opened),
        readSecret: () => Promise.resolve(secret),
        now: clock.now,
        ...streams,
      }),
    );
  return { file, clock, run, store, sql: opened.sql };
}

describe('keys create', () => {
  it('prints the key alone on stdout and what it is on stderr', async () => {
    const { run, store, file } = setUp();
    const { status, stdout, stderr } = await run(
      'create',
      '--project',
      'shop',
      '--name',
      'web backend',
      '--expires-in',
      '90d',
    );
    const [record] = await store.list();
    expect(status).toBe(0);
    expect(isWellFormedKey(stdout.trimEnd())).toBe(true);
    expect(stdout).toMatch(/^sk_live_\w+\n$/);
    expect(stderr).toContain(record?.id);
    expect(stderr).toContain('web backend');
    expect(stderr).toContain('expires 2030-04-01 00:00Z');
    expect(stderr).toContain('only this once');
    expect((await verifierOf(openFileStore(file)).verify(stdout.trimEnd())).status).toBe('valid');
  });

  it('prints one JSON object with the key and without its hash', async () => {
    const { run, store } = setUp();
    const { stdout, stderr } = await run(
      ...['create', '--project', 'shop', '--name', 'ci', '--env', 'test', '--rate-limit', '30', '--json'],
    );
    const shown: unknown = JSON.parse(stdout);
    const [record] = await store.list();
    expect(shown).toEqual({
      key: expect.stringMatching(/^sk_test_/) as string,
      id: record?.id,
      project: 'shop',
      name: 'ci',
      environment: 'test',
      start: record?.start,
      state: 'active',
      createdAt: '2030-01-01T00:00:00.000Z',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      rateLimitPerMinute: 30,
      replacedBy: null,
    });
    expect(stderr).toBe('');
    expect(stdout).not.toContain(record?.hash);
  });

  it.each([
    ['30s', '2030-01-01T00:00:30.000Z'],
    ['90d', '2030-04-01T00:00:00.000Z'],
  ])('understands --expires-in %s', async (duration, expiresAt) => {
    const { run, store } = setUp();
    await run('create', '--project', 'p', '--name', 'n', '--expires-in', duration);
    expect((await store.list())[0]?.expiresAt).toBe(expiresAt);
  });
});

describe('keys list', () => {
  it('shows every key with its state in aligned columns, and nothing secret', async () => {
    const { run, store, clock } = setUp();
    const active = await store.create(REQUEST);
    const expired = await store.create({ ...REQUEST, project: 'a longer project', expiresInMs: 1000 });
    const revoked = await store.create({ ...REQUEST, environment: 'test' });
    await store.revoke(revoked.record.id);
    clock.advance(1000);
    const { status, stdout } = await run('list');
    const [header = '', ...rows] = stdout.trimEnd().split('\n');
    expect(status).toBe(0);
    expect(rows.map((row) => row.slice(header.indexOf('STATE')).split(' ')[0])).toEqual([
      'active',
      'expired',
      'revoked',
    ]);
    expect(rows.map((row) => row.slice(header.indexOf('CREATED'), header.indexOf('EXPIRES')).trim())).toEqual(
      Array<string>(3).fill('2030-01-01 00:00Z'),
    );
    expect(rows[0]).toContain(`${active.record.start}…`);
    for (const { key, record } of [active, expired, revoked]) {
      expect(stdout).toContain(record.id);
      expect(stdout).not.toContain(key);
      expect(stdout).not.toContain(record.hash);
    }
  });
});

describe('keys revoke and rotate', () => {
  it('revokes, also a second time', async () => {
    const { run, store } = setUp();
    const { record } = await store.create(REQUEST);
    for (let round = 0; round < 2; round += 1) {
      expect(await run('revoke', record.id)).toMatchObject({
        status: 0,
        stderr: '',
        stdout: `Revoked ${record.id} (backend) of project shop.\n`,
      });
    }
    expect((await store.list())[0]?.revokedAt).toBe('2030-01-01T00:00:00.000Z');
  });

  it('prints the new key alone on stdout and the fate of the old one on stderr', async () => {
    const { run, store } = setUp();
    const { record } = await store.create(REQUEST);
    const { status, stdout, stderr } = await run('rotate', record.id, '--overlap', '24h');
    const [old, successor] = await store.list();
    expect(status).toBe(0);
    expect(successor?.hash).toBe(hashKey(stdout.trimEnd()));
    expect(old).toMatchObject({ revokedAt: null, expiresAt: '2030-01-02T00:00:00.000Z' });
    expect(stderr).toContain(`The old key ${record.id} works until 2030-01-02 00:00Z.`);
    expect((await run('rotate', successor?.id ?? '')).stderr).toContain('is revoked');
  });

  it('prints one JSON object with the new key and the old record', async () => {
    const { run, store } = setUp();
    const { record } = await store.create(REQUEST);
    const { stdout, stderr } = await run('rotate', record.id, '--json');
    const [old, successor] = await store.list();
    expect(JSON.parse(stdout)).toMatchObject({
      key: expect.stringMatching(/^sk_live_/) as string,
      id: successor?.id,
      previous: { id: old?.id, state: 'revoked', replacedBy: successor?.id },
    });
    expect(stdout).not.toContain('hash');
    expect(stderr).toBe('');
  });
});

describe('keys, used wrongly', () => {
  const valid = ['--project', 'p', '--name', 'n'];

  it.each([
    ['no command', [], 'The command must be'],
    ['an unknown command', ['delete'], 'The command must be'],
    ['neither', ['create'], '--project and --name are missing'],
    ['an unknown flag', ['create', ...valid, '--forever'], '--forever'],
    ['an unknown environment', ['create', ...valid, '--env', 'prod'], '--env must be live or test'],
    ['a negative duration', ['create', ...valid, '--expires-in=-1d'], '--expires-in must be'],
    ['a rate limit that is none', ['create', ...valid, '--rate-limit', '1e3'], '--rate-limit must be'],
    ['a name without quotes', ['create', ...valid, 'backend'], 'create takes flags only'],
    ['no id to revoke', ['revoke'], 'revoke needs one key id'],
    ['an unknown id to revoke', ['revoke', 'key_a'], 'no key with the id "key_a"'],
    ['an unknown id to rotate', ['rotate', 'key_a'], 'no key with the id "key_a"'],
  ])('answers %s with status 2 and one line on stderr, and changes nothing', async (_, argv, reason) => {
    const { run, store } = setUp();
    const { status, stdout, stderr } = await run(...argv);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(await store.list()).toEqual([]);
  });

  it.each([['create', ...valid], ['list'], ['revoke', 'key_a'], ['rotate', 'key_a']])(
    'refuses a damaged file with status 2 and leaves it alone: %s',
    async (...argv) => {
      const { run, file } = setUp();
      writeFileSync(file, 'not a key file');
      const { status, stdout, stderr } = await run(...argv);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^[^\n]*damaged[^\n]+\n$/);
      expect(stderr).toContain(file);
      expect(readFileSync(file, 'utf8')).toBe('not a key file');
    },
  );

  it.each([['--help'], ['-h'], ['help'], ['create', '--help']])('explains itself on stdout: %s', async (...argv) => {
    const { status, stdout, stderr } = await setUp().run(...argv);
    expect([status, stderr]).toEqual([0, '']);
    for (const command of ['create', 'list', 'revoke', 'rotate']) expect(stdout).toContain(command);
  });
});

describe('keys signing-secret', () => {
  const SECRET = ['ksec', 'x'.repeat(32)].join('_');

  it('gives a key the secret of standard input, prints it nowhere, and says where Coral is to call', async () => {
    const { run, store, file } = setUp(SECRET);
    const { record } = await store.create(REQUEST);
    const { status, stdout, stderr } = await run('signing-secret', record.id);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`/v1/guardrails/coral/${record.id}`);
    const listed = await run('list', '--json');
    expect(stderr + listed.stdout).not.toContain(SECRET);
    const verifier = verifierOf(openFileStore(file));
    expect(await verifier.verifySigned(record.id, (secret) => secret === SECRET)).toMatchObject({ status: 'valid' });
  });

  it('refuses what is no secret, without repeating it', async () => {
    for (const secret of ['short', `${'x'.repeat(20)} y`, undefined]) {
      const { run, store } = setUp(secret);
      const { record } = await store.create(REQUEST);
      const { status, stderr } = await run('signing-secret', record.id);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/secret/) as string]);
      if (secret !== undefined) expect(stderr).not.toContain(secret);
    }
  });
});

describe('the audit log', () => {
  it('has what the command line did to keys', async () => {
    const { run, store, sql } = setUp();
    await run('create', '--project', 'shop', '--name', 'web');
    const id = (await store.list())[0]?.id ?? '';
    const { stdout } = await run('rotate', id);
    await run('revoke', id);
    const entries = await createAuditLog(sql).list({ limit: 10 });
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ['command line', 'key.revoke', id],
      ['command line', 'key.rotate', id],
      ['command line', 'key.create', id],
    ]);
    expect(JSON.stringify(entries)).not.toContain(stdout.trim());
  });

  it('keeps nobody from making a key where it cannot be written', async () => {
    const { run, store, file } = setUp();
    mkdirSync(join(dirname(file), 'parapet.db'));
    const { status, stdout, stderr } = await run('create', '--project', 'shop', '--name', 'web');
    expect([status, stdout.startsWith('sk_'), (await store.list()).length]).toEqual([0, true, 1]);
    expect(stderr).toContain('the audit log lacks it');
  });
});
