/** Tells whether a file is still the one that was read, by what the file system says of it and without reading it. */
import { statSync, type BigIntStats } from 'node:fs';

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
