/** Promises of `npx parapet admin` to an operator: what it keeps, what it refuses, and that no password is ever seen. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAdminPassword } from '../../../src/admin-password.js';
import { createKnownBrowsers } from '../../../src/dashboard/session/known-browsers.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { adminAtTerminal, adminCommand, hasTerminal } from '../../support/dashboard/admin-command.js';
import { command, spawnService, temporaryFolder } from '../../support/service.js';

const PASSWORD = ['a', 'long', 'enough', 'password'].join(' ');
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const ARROW_UP = '\x1b[A';

const freshKeysFile = (): string => join(temporaryFolder(), 'keys.json');

describe('npx parapet admin', () => {
  it('prints a hash that turns the dashboard on, and writes nothing', async () => {
    const keysFile = freshKeysFile();
    const { code, stdout } = await adminCommand(keysFile, `${PASSWORD}\n`, 'hash-password');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^scrypt:17:8:1:[\w-]+:[\w-]+\n$/)]);
    const started = spawnService({ KEYS_FILE: keysFile, ADMIN_PASSWORD_HASH: stdout.trim() });
    const answer = await fetch(`${await started.listening}/dashboard`);
    expect([answer.status, (await answer.text()).includes('<title>Parapet</title>')]).toEqual([200, true]);
    await started.stop('SIGKILL');
  });

  it.each([
    ['short\n', ['set-password'], '12 to 256'],
    ['', ['set-password'], 'no password'],
    [`${PASSWORD}\n`, ['set-password', PASSWORD], 'takes no arguments'],
  ])('refuses %j for %j and does not repeat a password', async (input, argv, reason) => {
    const { code, stderr } = await adminCommand(freshKeysFile(), input, ...argv);
    expect([code, stderr.includes(reason), stderr.includes(PASSWORD)]).toEqual([2, true, false]);
  });
});

describe('npx parapet admin sign-in-link', () => {
  it('prints a link with which a browser is known to the service, for a while', async () => {
    const keysFile = freshKeysFile();
    await adminCommand(keysFile, `${PASSWORD}\n`, 'set-password');
    const { code, stdout, stderr } = await adminCommand(keysFile, '', 'sign-in-link');
    expect([code, stderr]).toEqual([0, expect.stringContaining('within 15 minutes')]);
    const { pathname, hash } = new URL(stdout.trim(), 'http://localhost');
    expect(pathname).toBe('/dashboard');
    const passwordHash = await openFileStore(keysFile).adminPassword.get();
    if (passwordHash === undefined) throw new Error('the password was not kept');
    const pass = new URLSearchParams(hash.slice(1)).get('pass') ?? '';
    expect(createKnownBrowsers(passwordHash).nameIn(pass)).toBeDefined();
  });

  it('says that there is no password where there is none', async () => {
    const { code, stderr } = await adminCommand(freshKeysFile(), '', 'sign-in-link');
    expect([code, stderr]).toEqual([2, expect.stringContaining('No password is set')]);
  });
});

describe('npx parapet admin users', () => {
  it('invites, lets an account be found again by its password reset, changes its role and lets it in no more', async () => {
    const keysFile = freshKeysFile();
    const admin = async (...argv: string[]) => {
      const { code, stdout, stderr } = await adminCommand(keysFile, '', 'users', ...argv);
      if (code !== 0) throw new Error(stderr);
      return stdout.trim();
    };
    await adminCommand(keysFile, `${PASSWORD}\n`, 'set-password');
    const service = spawnService({ KEYS_FILE: keysFile });
    const address = await service.listening;
    const post = async (path: string, body: object) =>
      fetch(`${address}/dashboard/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const accept = async (link: string) =>
      (await post('/invitations/accept', { token: link.split('=')[1], password: PASSWORD })).json();
    expect(await accept(await admin('invite', 'ann@example.com', '--role', 'reviewer'))).toMatchObject({
      name: 'ann@example.com',
      role: 'reviewer',
    });
    await admin('set-role', 'ann@example.com', '--role', 'viewer');
    expect(await accept(await admin('reset-password', 'Ann@example.com'))).toMatchObject({ role: 'viewer' });
    await admin('disable', 'ann@example.com');
    expect((await post('/session', { name: 'ann@example.com', password: PASSWORD })).status).toBe(401);
    expect(JSON.parse(await admin('list', '--json'))).toMatchObject([{ name: 'ann@example.com', role: 'viewer' }]);
    await expect(admin('disable', 'bob')).rejects.toThrow('no account of this name');
    await expect(admin('invite', 'bob', '--role', 'king')).rejects.toThrow('--role must be one of');

    const log = await command('audit', { KEYS_FILE: keysFile }, ['export']);
    const actions = log
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions.filter((action) => !action.startsWith('session.'))).toEqual([
      'owner.password',
      'invitation.create',
      'invitation.accept',
      'account.change',
      'account.reset_password',
      'invitation.accept',
      'account.change',
      'audit.export',
    ]);
    const file = join(dirname(keysFile), 'audit.jsonl');
    writeFileSync(file, log);
    expect(await command('audit', {}, ['verify', file])).toMatch(
      /^Whole: \d+ entries, 1 to \d+\. Hash of the last: \w{64}\n$/,
    );
    writeFileSync(file, log.replace('"role":"viewer"', '"role":"owner"').replace('viewer', 'owner'));
    await expect(command('audit', {}, ['verify', file])).rejects.toThrow('was changed');
    expect(await command('audit', { KEYS_FILE: keysFile }, ['list', '--action', 'account'])).toMatch(
      /^NUMBER .*\n(?:.*command line .*\n){3}$/,
    );
    await service.stop('SIGKILL');
  });
});

describe.skipIf(!hasTerminal)('npx parapet admin set-password at a terminal', () => {
  it.each([
    [
      'asked twice',
      [
        ['Password: ', `${PASSWORD}\r`],
        ['Again: ', `${PASSWORD}\r`],
      ],
    ],
    ['pasted twice at once', [['Password: ', `${PASSWORD}\r${PASSWORD}\r`]]],
  ] as const)('keeps the password, %s, and shows nothing of it', async (_case, typing) => {
    const keysFile = freshKeysFile();
    const { adminPassword } = openFileStore(keysFile);
    const { code, shown, states } = await adminAtTerminal(keysFile, typing, 'set-password');
    expect(shown).toBe(
      `Password: \nAgain: \nThe hash is in ${adminPassword.location}. Start the service anew, then open /dashboard.`,
    );
    expect([code, states[1]]).toEqual([0, states[0]]);
    const hash = await adminPassword.get();
    expect(hash !== undefined && (await isAdminPassword(PASSWORD, hash))).toBe(true);
  });

  it.each([
    ['another entry the second time', `${PASSWORD}!\r`],
    ['the first entry taken from the history', `${ARROW_UP}\r`],
  ])('refuses %s and writes nothing', async (_case, second) => {
    const keysFile = freshKeysFile();
    const { code, shown, states } = await adminAtTerminal(
      keysFile,
      [
        ['Password: ', `${PASSWORD}\r`],
        ['Again: ', second],
      ],
      'set-password',
    );
    expect(shown).toBe('Password: \nAgain: \nThe two passwords differ. Nothing was changed.');
    expect([code, states[1]]).toEqual([2, states[0]]);
    expect(existsSync(openFileStore(keysFile).adminPassword.location)).toBe(false);
  });

  it.each([
    ['Ctrl-C at the first question', [['Password: ', `half a passw${CTRL_C}`]], 'Password: \n'],
    ['Ctrl-D', [['Password: ', CTRL_D]], 'Password: \n'],
  ] as const)('ends at %s with the terminal and an earlier password as they were', async (_case, typing, asked) => {
    const keysFile = freshKeysFile();
    await adminCommand(keysFile, 'the password before\n', 'set-password');
    const before = readFileSync(openFileStore(keysFile).adminPassword.location);
    const { code, shown, states } = await adminAtTerminal(keysFile, typing, 'set-password');
    expect(shown).toBe(`${asked}No password was given. Nothing was changed.`);
    expect([code, states[1]]).toEqual([2, states[0]]);
    expect(readFileSync(openFileStore(keysFile).adminPassword.location)).toEqual(before);
  });
});
