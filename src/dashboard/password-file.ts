/** Keeps the hash of the operator's password in a file next to the key file, for those who set no environment variable. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import { replaceFile } from '../keys/atomic-write.js';
import { withFileLock } from '../keys/file-lock.js';
import { fileVersionOf } from '../keys/file-version.js';
import { readRegularFile } from '../keys/regular-file.js';
import { errorCodeOf } from '../keys/system-error.js';
import { parseAdminPasswordHash, type AdminPasswordHash } from './admin-password.js';
import { besideKeyFile } from '../keys/beside-key-file.js';

const fileSchema = z.looseObject({ version: z.literal(1), passwordHash: z.string() });

export function passwordFileFor(keysFile: string): string {
  return besideKeyFile(keysFile, 'admin.json');
}

/** @returns undefined where there is no file. @throws OperatorError when there is one that cannot be understood */
export function readPasswordFile(file: string): AdminPasswordHash | undefined {
  let text: string;
  try {
    text = readRegularFile(file).bytes.toString('utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Cannot read ${file} (${errorCodeOf(error) ?? 'unknown'}). Check its rights and owner.`);
  }
  const hash = hashIn(text);
  if (hash === undefined) {
    throw new OperatorError(
      `${file} is damaged. Set the password anew (npm run --silent admin -- set-password), or remove the file to turn the dashboard off.`,
    );
  }
  return hash;
}

function hashIn(text: string): AdminPasswordHash | undefined {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(text));
    return parsed.success ? parseAdminPasswordHash(parsed.data.passwordHash) : undefined;
  } catch {
    return undefined;
  }
}

export async function writePasswordFile(file: string, passwordHash: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const written = await withFileLock(file, () =>
      replaceFile(file, `${JSON.stringify({ version: 1, passwordHash }, null, 2)}\n`, fileVersionOf(file)),
    );
    if (!written) throw new OperatorError(`${file} changed meanwhile. Try again.`);
  } catch (error) {
    if (error instanceof OperatorError || errorCodeOf(error) === undefined) throw error;
    throw new OperatorError(`Cannot write ${file} (${errorCodeOf(error) ?? ''}). Check the rights of its folder.`);
  }
}
