/**
 * The keys as the file has them now, at the price of one stat a question. What makes a revocation count at once in every process.
 * Decides nothing about a key.
 */
import { OperatorError } from '../errors.js';
import { fileVersionOf, isSameVersion, type FileVersion } from './file-version.js';
import { parseKeyFile, readKeyFileText } from './key-file.js';
import type { KeyRecord } from './key-record.js';
import { errorCodeOf } from './system-error.js';

export type KeyList =
  | { readonly status: 'loaded'; readonly byHash: ReadonlyMap<string, KeyRecord> }
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

/**
 * Returns a function that answers with the list of this moment, never an earlier one: where the file cannot be understood there
 * is no list at all until it can be. Never throws.
 *
 * Asking the file system each time is cheap: about 1 µs of the 3 µs that a whole verification takes (measured on Linux 6,
 * ext4; reading 1,000 keys anew takes about 8 ms, after each change of the file). Watching the file instead would leave a
 * moment in which a revoked key still passes. It rests on a rename being visible at once: a network file system that caches
 * attributes (NFS without `noac`) breaks the promise for as long as it caches.
 */
export function createKeyList({ file, onReload }: KeyListDeps): () => KeyList {
  let last: { readonly list: KeyList; readonly version: FileVersion } | undefined;
  let lastReason: string | undefined;

  return function currentList() {
    try {
      if (last !== undefined && isSameVersion(fileVersionOf(file), last.version)) return last.list;
      const { text, version } = readKeyFileText(file);
      last = { list: toList(() => parseKeyFile(file, text).keys), version };
    } catch (error) {
      // Not remembered: the cause may pass without a trace on the file (too many open files, say).
      last = undefined;
      return report(unavailable(error, file));
    }
    return report(last.list);
  };

  function report(list: KeyList): KeyList {
    if (list.status === 'loaded') onReload?.({ status: 'loaded', keyCount: list.byHash.size });
    else if (list.reason !== lastReason) onReload?.({ status: 'unavailable', reason: list.reason });
    lastReason = list.status === 'loaded' ? undefined : list.reason;
    return list;
  }

  function toList(parse: () => readonly KeyRecord[]): KeyList {
    try {
      return { status: 'loaded', byHash: new Map(parse().map((record) => [record.hash, record])) };
    } catch (error) {
      return unavailable(error, file);
    }
  }
}

function unavailable(error: unknown, file: string): KeyList {
  const reason =
    error instanceof OperatorError ? error.message : `Cannot read ${file} (${errorCodeOf(error) ?? 'unknown'}).`;
  return { status: 'unavailable', reason };
}
