/**
 * Reads and changes the key file, and never overwrites one that is not understood. Knows nothing of what a change means.
 */
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../errors.js';
import { replaceFile } from './atomic-write.js';
import { withFileLock } from './file-lock.js';
import type { FileVersion } from './file-version.js';
import type { KeyFileContents } from './key-record.js';
import { NO_KEYS, parseKeyFile } from './parsed-key-file.js';
import { readLargeFile, readRegularFile } from './regular-file.js';
import { atOnce, inSlices } from './slices.js';
import { errorCodeOf } from './system-error.js';

const MOST_CONFLICTS = 5;

export interface KeyFileBytes {
  /** Undefined where there is no file. */
  readonly bytes: Buffer | undefined;
  readonly version: FileVersion;
}

/** @throws OperatorError when there is a file that cannot be read */
export function readKeyFileBytes(file: string): KeyFileBytes {
  try {
    return readRegularFile(file);
  } catch (error) {
    return noFile(file, error);
  }
}

/** As above, without blocking the thread. */
export async function readLargeKeyFile(file: string): Promise<KeyFileBytes> {
  try {
    return await readLargeFile(file);
  } catch (error) {
    return noFile(file, error);
  }
}

function noFile(file: string, error: unknown): KeyFileBytes {
  if (errorCodeOf(error) === 'ENOENT') return { bytes: undefined, version: undefined };
  throw error instanceof OperatorError ? error : cannot('read', file, error);
}

/** A missing file is an empty list. Blocks. @throws OperatorError when there is a file that cannot be read or is no key file */
export function readKeyFile(file: string): KeyFileContents {
  const { bytes } = readKeyFileBytes(file);
  return bytes === undefined ? NO_KEYS.contents : atOnce(parseKeyFile(file, bytes)).contents;
}

export interface KeyFileChange<Result> {
  /** The very object that was passed in says that there is nothing to write. */
  readonly next: KeyFileContents;
  readonly result: Result;
}

/**
 * Reads, changes and writes the file while nobody else does, in slices between which others are served. When it resolves, the change is on the disk and every reader sees
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
        const { bytes, version } = await readLargeKeyFile(target);
        const current = bytes === undefined ? NO_KEYS.contents : (await inSlices(parseKeyFile(file, bytes))).contents;
        const { next, result } = change(current);
        if (next === current) return result;
        if (await replaceFile(target, textOf(next), version)) return result;
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

/** `JSON.stringify(contents, null, 2)` in pieces, so that writing 100,000 keys holds nobody up. */
function* textOf(contents: KeyFileContents): Generator<string> {
  const [begin = '', end = ''] = JSON.stringify({ ...contents, keys: [] }, null, 2).split(EMPTY_LIST);
  let piece = `${begin}${EMPTY_LIST.slice(0, -1)}`;
  for (const [index, key] of contents.keys.entries()) {
    const text = JSON.stringify(key, null, 2).replaceAll('\n', '\n    ');
    piece += `${index === 0 ? '' : ','}\n    ${text}`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${contents.keys.length === 0 ? '' : '\n  '}]${end}\n`;
}

/** Nothing else reads so: a line break within a string is written as an escape, and only the outermost members begin with two blanks. */
const EMPTY_LIST = '\n  "keys": []';
const PIECE_LENGTH = 64 * 1024;

function cannot(doing: 'read' | 'write', file: string, error: unknown): OperatorError {
  return new OperatorError(
    `Cannot ${doing} the key file ${file} (${errorCodeOf(error) ?? String(error)}). Check the rights and owners of the file and its folder.`,
    { cause: error },
  );
}
