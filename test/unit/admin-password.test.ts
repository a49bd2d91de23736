/** Promises of the password's hash and of the file that keeps it. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adminPasswordHash, loadConfig } from '../../src/config/config.js';
import {
  formatAdminPasswordHash,
  parseAdminPasswordHash,
  hashAdminPassword,
  isAdminPassword,
} from '../../src/admin-password.js';
import { OperatorError } from '../../src/errors.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { freshKeyFile } from './storage/store-folder.js';

const PASSWORD = ['twelve', 'letters', 'é'].join(' ');
const CHEAP = { log2N: 14, blockSize: 8, parallelism: 1 };

describe('a password', () => {
  it('is known again by its hash, in either form of Unicode, and no other is', async () => {
    const hash = parseAdminPasswordHash(formatAdminPasswordHash(await hashAdminPassword(PASSWORD, CHEAP)));
    if (hash === undefined) throw new Error('the hash cannot be read back');
    expect(await isAdminPassword(PASSWORD, hash)).toBe(true);
    expect(await isAdminPassword(PASSWORD.normalize('NFD'), hash)).toBe(true);
    expect(await isAdminPassword(`${PASSWORD} `, hash)).toBe(false);
  });

  it('never has the same hash twice', async () => {
    const [one, other] = [await hashAdminPassword(PASSWORD, CHEAP), await hashAdminPassword(PASSWORD, CHEAP)];
    expect(one.hash).not.toEqual(other.hash);
  });

  it.each(['', 'elevenchars', 'x'.repeat(257)])('of the wrong length is refused: %j', async (password) => {
    await expect(hashAdminPassword(password)).rejects.toThrow('12 to 256 characters');
  });

  it.each(['', '{}', '{"version":1,"passwordHash":"x"}'])(
    'is not guessed from the damaged file %j, and can be set anew',
    async (text) => {
      const { adminPassword } = openFileStore(freshKeyFile());
      writeFileSync(adminPassword.location, text);
      await expect(adminPassword.get()).rejects.toThrow('is damaged');
      await adminPassword.set(await hashAdminPassword(PASSWORD, CHEAP));
      expect(await adminPassword.get()).toMatchObject(CHEAP);
    },
  );
});

describe('ADMIN_PASSWORD_HASH_FILE', () => {
  const refusalOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      if (error instanceof OperatorError) return error.message;
      throw error;
    }
    return 'none';
  };

  it('names a file that holds the hash, for the service and the commands', async () => {
    const file = freshKeyFile();
    const hash = await hashAdminPassword(PASSWORD, CHEAP);
    writeFileSync(file, `${formatAdminPasswordHash(hash)}\n`);
    expect(loadConfig({ ADMIN_PASSWORD_HASH_FILE: file }).adminPasswordHash).toEqual(hash);
    expect(adminPasswordHash({ ADMIN_PASSWORD_HASH_FILE: file })).toEqual(hash);
  });

  it.each([
    ['both are set', 'secret', { ADMIN_PASSWORD_HASH: 'none' }, 'ADMIN_PASSWORD_HASH is set as well'],
    ['the file is empty', ' \n', {}, 'the file is empty'],
    ['there is no file', undefined, {}, 'the file cannot be read (ENOENT)'],
    ['it holds something else', 'secret', {}, 'must be "none", or what'],
  ])('is refused where %s, and neither path nor content are repeated', (_case, content, more, reason) => {
    const file = freshKeyFile();
    if (content !== undefined) writeFileSync(file, content);
    for (const read of [loadConfig, adminPasswordHash]) {
      const refusal = refusalOf(() => read({ ...more, ADMIN_PASSWORD_HASH_FILE: file }));
      expect(refusal).toContain('ADMIN_PASSWORD_HASH');
      expect(refusal).toContain(reason);
      expect(refusal).not.toContain(file);
      expect(refusal).not.toContain('secret');
    }
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
