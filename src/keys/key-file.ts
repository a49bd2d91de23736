/**
 * Reads and changes the key file. Refuses a file that it does not understand and never overwrites one. Knows nothing of what
 * a change means.
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../errors.js';
import { replaceFile } from './atomic-write.js';
import { withFileLock } from './file-lock.js';
import type { FileVersion } from './file-version.js';
import { KEY_FILE_VERSION, keyFileSchema, type KeyFileContents } from './key-record.js';
import { errorCodeOf } from './system-error.js';

const MOST_CONFLICTS = 5;

export interface KeyFileText {
  /** Undefined where there is no file. */
  readonly text: string | undefined;
  readonly version: FileVersion;
}

/** @throws OperatorError when there is a file that cannot be read */
export function readKeyFileText(file: string): KeyFileText {
  try {
    const descriptor = openSync(file, 'r');
    try {
      // The version before the text, from one open file: a change in between makes the version look old, never the text.
      const version = fstatSync(descriptor, { bigint: true });
      return { text: readFileSync(descriptor, 'utf8'), version };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return { text: undefined, version: undefined };
    throw cannot('read', file, error);
  }
}

/** A missing file is an empty list. @throws OperatorError when the text is no key file; it does not quote the text */
export function parseKeyFile(file: string, text: string | undefined): KeyFileContents {
  if (text === undefined) return { version: KEY_FILE_VERSION, keys: [] };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw damaged(file, 'it is not valid JSON');
  }
  const parsed = keyFileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.path.join('.') === 'version') {
    throw new OperatorError(
      `The key file ${file} is not of version ${KEY_FILE_VERSION}, the only one that this Parapet knows. Use the release that wrote it.`,
    );
  }
  throw damaged(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it has another shape'}`);
}

/** @throws OperatorError as the two above */
export function readKeyFile(file: string): KeyFileContents {
  return parseKeyFile(file, readKeyFileText(file).text);
}

export interface KeyFileChange<Result> {
  /** The very object that was passed in says that there is nothing to write. */
  readonly next: KeyFileContents;
  readonly result: Result;
}

/**
 * Reads, changes and writes the file while nobody else does. When it resolves, the change is on the disk and every reader sees
 * it. `change` may be called again if the file changed meanwhile, so it must have no effects of its own.
 *
 * @throws OperatorError when the file is damaged, cannot be written or stays locked; the file is then as it was
 */
export async function updateKeyFile<Result>(
  file: string,
  change: (current: KeyFileContents) => KeyFileChange<Result>,
): Promise<Result> {
  try {
    const target = await resolveTarget(file);
    return await withFileLock(target, async () => {
      for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts += 1) {
        const { text, version } = readKeyFileText(target);
        const current = parseKeyFile(file, text);
        const { next, result } = change(current);
        if (next === current) return result;
        if (await replaceFile(target, `${JSON.stringify(next, null, 2)}\n`, version)) return result;
      }
      throw new OperatorError(`The key file ${file} keeps changing under something that takes no lock. Try again.`);
    });
  } catch (error) {
    throw error instanceof OperatorError || errorCodeOf(error) === undefined ? error : cannot('write', file, error);
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

function damaged(file: string, what: string): OperatorError {
  return new OperatorError(
    `The key file ${file} is damaged (${what}). It was left as it is: restore it from a backup, or move it away and create new keys.`,
  );
}

function cannot(doing: 'read' | 'write', file: string, error: unknown): OperatorError {
  return new OperatorError(
    `Cannot ${doing} the key file ${file} (${errorCodeOf(error) ?? String(error)}). Check the rights and owners of the file and its folder.`,
    { cause: error },
  );
}
