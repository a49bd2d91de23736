/**
 * Reads and changes the key file, and never overwrites one that is not understood. Knows nothing of what a change means.
 */
import type { KeyFileContents } from './key-record.js';
import { changeLockedFile, readFileBytes, readLargeFileBytes, type FileBytes } from './locked-file.js';
import { NO_KEYS, parseKeyFile } from './parsed-key-file.js';
import { atOnce, inSlices } from './slices.js';

const NAME = 'key file';

/** @throws OperatorError when there is a file that cannot be read */
export function readKeyFileBytes(file: string): FileBytes {
  return readFileBytes({ file, name: NAME });
}

/** As above, without blocking the thread. */
export function readLargeKeyFile(file: string): Promise<FileBytes> {
  return readLargeFileBytes({ file, name: NAME });
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
  return changeLockedFile<Result>({ file, name: NAME }, async (bytes) => {
    const current = bytes === undefined ? NO_KEYS.contents : (await inSlices(parseKeyFile(file, bytes))).contents;
    const { next, result } = change(current);
    return { result, ...(next !== current && { text: textOf(next) }) };
  });
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
