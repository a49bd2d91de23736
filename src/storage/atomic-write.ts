/**
 * Replaces a file so that a reader, a crash or a kill at any moment finds the old text or the new, whole. Knows nothing of what
 * is in it.
 */
import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../errors.js';
import { fileVersionOf, isSameVersion, type FileVersion } from './file-version.js';

const LEFTOVER_AFTER_MS = 60_000;
const OWN_MODE = 0o600;
const READABLE_BY_GROUP = 0o040;

/**
 * Writes only if the file is still in the version `expected`: false says that it is not and nothing was done. When this resolves
 * to true, the new text is on the disk and not just in a cache.
 *
 * @param ownedLike whose owner, group and reading by the group it gets; by default those of the file that is replaced
 */
export async function replaceFile(
  file: string,
  text: string,
  expected: FileVersion,
  ownedLike = expected,
): Promise<boolean> {
  const folder = dirname(file);
  await removeLeftovers(folder, basename(file));
  const temporary = join(folder, `${temporaryPrefix(basename(file))}${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writeThrough(temporary, text, { file, version: ownedLike });
    // Nothing may come between these two: one synchronous step after the other leaves microseconds for a foreign change.
    if (!isSameVersion(fileVersionOf(file), expected)) return false;
    renameSync(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  await flushFolder(folder);
  return true;
}

interface Replaced {
  readonly file: string;
  readonly version: FileVersion;
}

async function writeThrough(temporary: string, text: string, { file, version }: Replaced): Promise<void> {
  const handle = await open(temporary, 'wx', OWN_MODE);
  try {
    const { uid, gid } = await handle.stat();
    const groupRights = Number(version?.mode ?? 0) & READABLE_BY_GROUP;
    const isForGroup = groupRights !== 0 && Number(version?.gid) !== gid;
    if (version !== undefined && (Number(version.uid) !== uid || isForGroup)) {
      // Else an administrator's `sudo npx parapet keys` would leave a file that the server may not read.
      await handle.chown(Number(version.uid), Number(version.gid)).catch((error: unknown) => {
        throw new OperatorError(
          `${file} belongs to user ${Number(version.uid)} and group ${Number(version.gid)}, who could not read it any more if this process wrote it. Run this as that user.`,
          { cause: error },
        );
      });
    }
    // A server of another user may read it by its group. Nobody else ever may.
    if (groupRights !== 0) await handle.chmod(OWN_MODE | groupRights);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is durable only once its folder is (fsync(2)). Windows cannot open folders, and needs no such step. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function temporaryPrefix(name: string): string {
  return `.${name}.`;
}

/** What killed writers left. A minute is far longer than a living writer needs. */
async function removeLeftovers(folder: string, name: string): Promise<void> {
  const names = await readdir(folder);
  const ours = names.filter((each) => each.startsWith(temporaryPrefix(name)) && /\.[0-9a-f]{16}\.tmp$/.test(each));
  for (const each of ours) {
    const path = join(folder, each);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > LEFTOVER_AFTER_MS) await rm(path, { force: true });
  }
}
