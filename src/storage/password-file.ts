/** The hash of the operator's password, in a file for those who set no environment variable. */
import { z } from 'zod';
import { formatAdminPasswordHash, parseAdminPasswordHash, type AdminPasswordHash } from '../admin-password.js';
import type { FileVersion } from './file-version.js';
import { JsonFile } from './json-file.js';
import type { AdminPasswordRepository } from './store.js';

const VERSION = 1;

const schema = z.looseObject({
  version: z.literal(VERSION),
  passwordHash: z.string().refine((text) => parseAdminPasswordHash(text) !== undefined, 'is no hash'),
});

interface PasswordFileContents {
  readonly version: typeof VERSION;
  /** Undefined where there is no file. */
  readonly passwordHash?: string;
}

/** @param ownedLike the server that may read the keys must be able to read it, whoever set the password */
export function openPasswordFile(path: string, ownedLike: () => FileVersion): AdminPasswordRepository {
  const file = new JsonFile<PasswordFileContents>({
    path,
    name: 'password file',
    version: VERSION,
    empty: { version: VERSION },
    parse: (content) => schema.parse(content),
    remedy: 'Set the password anew (npx parapet admin set-password), or remove the file to turn the dashboard off.',
    indent: 2,
    ownedLike,
    // Whoever sets the password anew needs no word of what the file was.
    onSetAside: () => undefined,
  });
  return {
    location: path,
    get: () =>
      Promise.resolve().then(() => {
        const { passwordHash } = file.read();
        return passwordHash === undefined ? undefined : parseAdminPasswordHash(passwordHash);
      }),
    set: (hash: AdminPasswordHash) =>
      file.change((current) => ({
        next: { ...current, passwordHash: formatAdminPasswordHash(hash) },
        result: undefined,
      })),
  };
}
