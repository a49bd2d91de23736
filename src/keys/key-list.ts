/**
 * The keys as the file has them now, at the price of one stat a question. What makes a revocation count at once in every process.
 * Decides nothing about a key.
 */
import { OperatorError } from '../errors.js';
import { fileVersionOf, isSameVersion, type FileVersion } from './file-version.js';
import { readKeyFileBytes, readLargeKeyFile } from './key-file.js';
import type { KeyRecord } from './key-record.js';
import type { FileBytes } from './locked-file.js';
import { NO_KEYS, parseKeyFile } from './parsed-key-file.js';
import { atOnce, inSlices, type Steps } from './slices.js';
import { projectIdsIn } from './project-record.js';
import { errorCodeOf } from './system-error.js';

export type KeyList =
  | {
      readonly status: 'loaded';
      readonly keys: readonly KeyRecord[];
      readonly find: (hash: string) => KeyRecord | undefined;
      /** The id of a project that a key names. */
      readonly projectIdOf: (name: string) => string;
    }
  /** `reason` is for the operator: it names the file. */
  | { readonly status: 'unavailable'; readonly reason: string };

/** For logs, so it carries no key and no hash. */
export type KeyReload =
  | { readonly status: 'loaded'; readonly keyCount: number }
  | { readonly status: 'unavailable'; readonly reason: string };

export interface KeyListDeps {
  readonly file: string;
  /** Called for every list that was read, and once for every new reason why none can be. */
  readonly onReload?: ((reload: KeyReload) => void) | undefined;
}

export interface CurrentKeys {
  /**
   * The list of this moment, never an earlier one: where the file cannot be understood there is no list at all until it can
   * be. Never throws. A promise only while a large file is read anew; it never rejects.
   */
  list(): KeyList | Promise<KeyList>;
  /** What `list` last came to; while a large file is read, that is the list before. */
  latest(): KeyList | undefined;
}

/** Such a file (1,000 keys and more) is read in slices, while the thread serves others; a smaller one at once, in some milliseconds. */
const LARGE_BYTES = 512 * 1024;

/**
 * Asking the file system each time is cheap: about 1 µs of the 3 µs that a whole verification takes (measured on Linux 6,
 * ext4). Watching the file instead would leave a moment in which a revoked key still passes. It rests on a rename being visible
 * at once: a network file system that caches attributes (NFS without `noac`) breaks the promise for as long as it caches.
 */
export function createKeyList({ file, onReload }: KeyListDeps): CurrentKeys {
  let last: { readonly list: KeyList; readonly version: FileVersion } | undefined;
  let lastReason: string | undefined;
  /** The last good reading: most of the next one is the same. */
  let parsed = NO_KEYS;
  let latest: KeyList | undefined;
  let reading: Promise<KeyList> | undefined;
  let nextReading: Promise<KeyList> | undefined;

  function currentList(): KeyList | Promise<KeyList> {
    try {
      const version = fileVersionOf(file);
      if (last !== undefined && isSameVersion(version, last.version)) return last.list;
      if (version !== undefined && version.size > LARGE_BYTES) return readingFromNow();
      const read = readKeyFileBytes(file);
      return keep(atOnce(listOf(read)), read.version);
    } catch (error) {
      return unreadable(error);
    }
  }

  /** A reading that began before the question may miss a change, so whoever asks during one waits for the next. */
  function readingFromNow(): Promise<KeyList> {
    if (reading === undefined) {
      reading = readLarge().finally(() => (reading = undefined));
      return reading;
    }
    nextReading ??= reading.then(() => {
      nextReading = undefined;
      return currentList();
    });
    return nextReading;
  }

  async function readLarge(): Promise<KeyList> {
    try {
      const read = await readLargeKeyFile(file);
      return keep(await inSlices(listOf(read)), read.version);
    } catch (error) {
      return unreadable(error);
    }
  }

  function* listOf({ bytes }: FileBytes): Steps<KeyList> {
    try {
      parsed = bytes === undefined ? NO_KEYS : yield* parseKeyFile(file, bytes, parsed);
    } catch (error) {
      return unavailable(error, file);
    }
    const { contents, indexByHash } = parsed;
    return {
      status: 'loaded',
      keys: contents.keys,
      find: (hash) => contents.keys[indexByHash.get(hash) ?? -1],
      projectIdOf: projectIdsIn(contents),
    };
  }

  function keep(list: KeyList, version: FileVersion): KeyList {
    last = { list, version };
    return report(list);
  }

  /** Not remembered: the cause may pass without a trace on the file (too many open files, say). */
  function unreadable(error: unknown): KeyList {
    last = undefined;
    return report(unavailable(error, file));
  }

  function report(list: KeyList): KeyList {
    if (list.status === 'loaded') onReload?.({ status: 'loaded', keyCount: list.keys.length });
    else if (list.reason !== lastReason) onReload?.({ status: 'unavailable', reason: list.reason });
    lastReason = list.status === 'loaded' ? undefined : list.reason;
    latest = list;
    return list;
  }

  return { list: currentList, latest: () => latest };
}

function unavailable(error: unknown, file: string): KeyList {
  const reason =
    error instanceof OperatorError ? error.message : `Cannot read ${file} (${errorCodeOf(error) ?? 'unknown'}).`;
  return { status: 'unavailable', reason };
}
