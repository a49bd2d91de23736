/** Reads a file whole, and changes it while nobody else does. Knows nothing of what is in it. */
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../errors.js';
import { replaceFile } from './atomic-write.js';
import { withFileLock } from './file-lock.js';
import type { FileVersion } from './file-version.js';
import { readLargeFile, readRegularFile } from './regular-file.js';
import { errorCodeOf } from './system-error.js';

const MOST_CONFLICTS = 5;

export interface NamedFile {
  readonly file: string;
  /** What messages call it: `key file`. */
  readonly name: string;
}

export interface FileBytes {
  /** Undefined where there is no file. */
  readonly bytes: Buffer | undefined;
  readonly version: FileVersion;
}

/** @throws OperatorError when there is a file that cannot be read */
export function readFileBytes(named: NamedFile): FileBytes {
  try {
    return readRegularFile(named.file);
  } catch (error) {
    return noFile(named, error);
  }
}

/** As above, without blocking the thread. */
export async function readLargeFileBytes(named: NamedFile): Promise<FileBytes> {
  try {
    return await readLargeFile(named.file);
  } catch (error) {
    return noFile(named, error);
  }
}

function noFile(named: NamedFile, error: unknown): FileBytes {
  if (errorCodeOf(error) === 'ENOENT') return { bytes: undefined, version: undefined };
  throw error instanceof OperatorError ? error : cannot('read', named, error);
}

export interface FileChange<Result> {
  /** Absent where there is nothing to write. */
  readonly text?: string | Iterable<string>;
  readonly result: Result;
}

export interface LockedFile extends NamedFile {
  /** Whose owner and rights a new file gets. */
  readonly ownedLike?: () => FileVersion;
}

/**
 * Reads, changes and writes the file while nobody else does. When it resolves, the change is on the disk and every reader sees it. `change`
 * may be called again if the file changed meanwhile, so it must have no effects of its own.
 *
 * @throws OperatorError when the file cannot be read or written or stays locked; it is then as it was
 */
export async function changeLockedFile<Result>(
  named: LockedFile,
  change: (bytes: Buffer | undefined) => Promise<FileChange<Result>>,
): Promise<Result> {
  const { file, name, ownedLike } = named;
  try {
    const target = await resolveTarget(file);
    return await withFileLock(target, async () => {
      for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts += 1) {
        const { bytes, version } = await readLargeFileBytes({ file: target, name });
        const { text, result } = await change(bytes);
        if (text === undefined) return result;
        if (await replaceFile(target, text, version, version ?? ownedLike?.())) return result;
      }
      throw new OperatorError(`The ${name} ${file} keeps changing under something that takes no lock. Try again.`);
    });
  } catch (error) {
    throw error instanceof OperatorError || errorCodeOf(error) === undefined ? error : cannot('write', named, error);
  }
}

/** Makes the folder and follows links: a link stays a link, and whoever comes by another path meets the same lock. */
async function resolveTarget(file: string): Promise<string> {
  const path = resolve(file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
}

function cannot(doing: 'read' | 'write', { file, name }: NamedFile, error: unknown): OperatorError {
  return new OperatorError(
    `Cannot ${doing} the ${name} ${file} (${errorCodeOf(error) ?? String(error)}). Check the rights and owners of the file and its folder.`,
    { cause: error },
  );
}
