/**
 * Reads files, and tells without reading one whether it is still the one that was read. Refuses what only looks like a file: opening a FIFO
 * waits for a writer, and a device may never end.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, type BigIntStats } from 'node:fs';
import { OperatorError } from '../errors.js';

/** Undefined stands for "there is no file". */
export type FileVersion =
  Pick<BigIntStats, 'dev' | 'ino' | 'mtimeNs' | 'ctimeNs' | 'size' | 'uid' | 'gid' | 'mode'> | undefined;

/** Synchronous, because "still the same" must hold in the moment of the answer. @throws the system's error, but for a missing file */
export function fileVersionOf(file: string): FileVersion {
  return statSync(file, { bigint: true, throwIfNoEntry: false });
}

/**
 * The inode alone would not do: a file system hands freed ones out again. Nor would the times: their clock ticks every few
 * milliseconds. ctime also moves when rights change, which can make an unreadable file readable.
 */
export function isSameVersion(one: FileVersion, other: FileVersion): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.ino === other.ino &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.size === other.size &&
    one.dev === other.dev
  );
}

export interface FileRead {
  readonly bytes: Buffer;
  /** As it was before the bytes were read: a change in between makes the version look old, never the bytes. */
  readonly version: BigIntStats;
}

/** Opening does not wait for the other end of a FIFO (open(2)). Windows has no such flag, and no FIFOs among its files. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/** @throws OperatorError where it is no regular file; the system's error where it cannot be read */
export function readRegularFile(file: string): FileRead {
  const descriptor = openSync(file, READ_WITHOUT_WAITING);
  try {
    const version = fstatSync(descriptor, { bigint: true });
    refuseUnlessRegular(file, version);
    return { bytes: readFileSync(descriptor), version };
  } finally {
    closeSync(descriptor);
  }
}

function refuseUnlessRegular(file: string, stats: BigIntStats): void {
  if (stats.isFile()) return;
  throw new OperatorError(
    `${file} is ${kindOf(stats)} and not a regular file. Give the path of a regular file, or of one that does not exist yet.`,
  );
}

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return 'a device';
  return 'something else';
}
