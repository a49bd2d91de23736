/** Promises of the password's hash and of the file that keeps it. */
import { statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { hashAdminPassword, isAdminPassword, parseAdminPasswordHash } from '../../../src/dashboard/admin-password.js';
import { passwordFileFor, readPasswordFile, writePasswordFile } from '../../../src/dashboard/password-file.js';
import { freshKeyFile } from '../keys/key-file-folder.js';

const PASSWORD = ['twelve', 'letters', 'é'].join(' ');
const CHEAP = { log2N: 14, blockSize: 8, parallelism: 1 };

describe('a password', () => {
  it('is known again by its hash, in either form of Unicode, and no other is', async () => {
    const hash = parseAdminPasswordHash(await hashAdminPassword(PASSWORD, CHEAP));
    if (hash === undefined) throw new Error('the hash cannot be read back');
    expect(await isAdminPassword(PASSWORD, hash)).toBe(true);
    expect(await isAdminPassword(PASSWORD.normalize('NFD'), hash)).toBe(true);
    expect(await isAdminPassword(`${PASSWORD} `, hash)).toBe(false);
  });

  it('never has the same hash twice', async () => {
    expect(await hashAdminPassword(PASSWORD, CHEAP)).not.toBe(await hashAdminPassword(PASSWORD, CHEAP));
  });

  it.each(['', 'elevenchars', 'x'.repeat(257)])('of the wrong length is refused: %j', async (password) => {
    await expect(hashAdminPassword(password)).rejects.toThrow('12 to 256 characters');
  });

  it('is kept in a file for its owner alone', async () => {
    const file = passwordFileFor(freshKeyFile());
    expect(readPasswordFile(file)).toBeUndefined();
    await writePasswordFile(file, await hashAdminPassword(PASSWORD, CHEAP));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readPasswordFile(file)).toMatchObject(CHEAP);
  });

  it.each(['', '{}', '{"version":1,"passwordHash":"x"}'])('is not guessed from the damaged file %j', (text) => {
    const file = passwordFileFor(freshKeyFile());
    writeFileSync(file, text);
    expect(() => readPasswordFile(file)).toThrow('is damaged');
  });
});

describe('ADMIN_PASSWORD_HASH', () => {
  it.each(['a plain password', 'scrypt:30:8:1:AAAAAAAAAAAAAAAAAAAAAA:AAAA', 'scrypt:17:8:1::'])(
    'that is no whole hash is refused and not repeated: %j',
    (value) => {
      let message = '';
      try {
        loadConfig({ ADMIN_PASSWORD_HASH: value });
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('ADMIN_PASSWORD_HASH=…: must be');
      expect(message).not.toContain(value);
    },
  );
});
