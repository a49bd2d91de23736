/** The store of files: five of them in the folder of the key file, each of which carries its name. */
import { basename, dirname, join } from 'node:path';
import { createFileKeys } from './file-keys.js';
import { createFilePolicies } from './file-policies.js';
import { createFileProjects } from './file-projects.js';
import { fileVersionOf } from './file-version.js';
import { JsonFile } from './json-file.js';
import { openKeyFile } from './key-file.js';
import { openPasswordFile } from './password-file.js';
import { openPolicyFile } from './policy-file.js';
import { countAnswer, noStatistics, statisticsSchema, sumOf, type Statistics } from './statistics-record.js';
import type { StatisticsRepository, Store, UsageRepository } from './store.js';
import { latestUses, openUsageFile, usesUntil, type LastUses } from './usage-file.js';
import { createWriteBehind } from './write-behind.js';

/** What a server goes on without: the last use of keys, and statistics. */
export type Dispensable = 'keys' | 'statistics';

export interface FileStoreOptions {
  readonly now?: (() => Date) | undefined;
  /** Told of a damaged file that was moved aside, and of the first in a row of failures to write. */
  readonly onProblem?: (message: string, of: Dispensable) => void;
}

/** @param keysFile need not exist; two key files in one folder never share a file */
export function openFileStore(
  keysFile: string,
  { now = () => new Date(), onProblem = () => undefined }: FileStoreOptions = {},
): Store {
  const beside = (what: string): string => join(dirname(keysFile), `${basename(keysFile, '.json')}.${what}`);
  const ownedLike = () => fileVersionOf(keysFile);
  const keyFile = openKeyFile(keysFile);
  const policyFile = openPolicyFile(
    basename(keysFile) === 'keys.json' ? join(dirname(keysFile), 'policies.json') : beside('policies.json'),
    ownedLike,
  );
  const usageFile = openUsageFile(beside('usage.jsonl'), (message) => onProblem(message, 'keys'));
  const statisticsFile = new JsonFile<Statistics>({
    path: beside('statistics.json'),
    name: 'statistics file',
    version: 1,
    empty: noStatistics(),
    parse: (content) => statisticsSchema.parse(content),
    remedy: 'The next answer begins a new one.',
    onSetAside: (message) => onProblem(message, 'statistics'),
  });
  const lastUses = (): LastUses => readOr(() => usageFile.read().uses, new Map());

  return {
    keys: createFileKeys({ file: keyFile, lastUses, now }),
    projects: createFileProjects({ file: keyFile, now }),
    policies: createFilePolicies({ file: policyFile, projects: () => keyFile.read().projects, now }),
    adminPassword: openPasswordFile(beside('admin.json'), ownedLike),
    usage: usageIn(),
    statistics: statisticsIn(),
  };

  function usageIn(): UsageRepository {
    const behind = createWriteBehind<Map<string, number>>({
      empty: () => new Map(),
      isEmpty: ({ size }) => size === 0,
      add: (batch) =>
        usageFile.change((current) => ({
          next: { ...current, uses: usesUntil(latestUses(current.uses, batch), now()) },
          result: undefined,
        })),
      sumOf: latestUses,
      onFailure: (error) => onProblem(`The last use of keys could not be written: ${reasonOf(error)}`, 'keys'),
    });
    return {
      note(keyId, at) {
        const pending = behind.pending();
        pending.set(keyId, Math.max(at.getTime(), pending.get(keyId) ?? 0));
      },
      flush: () => behind.flush(),
    };
  }

  function statisticsIn(): StatisticsRepository {
    const behind = createWriteBehind<Statistics>({
      empty: noStatistics,
      isEmpty: ({ days }) => Object.keys(days).length === 0,
      add: (batch) => statisticsFile.change((current) => ({ next: sumOf(current, batch, now()), result: undefined })),
      sumOf: (earlier, later) => sumOf(earlier, later, now()),
      onFailure: (error) => onProblem(`Statistics could not be written: ${reasonOf(error)}`, 'statistics'),
    });
    return {
      note: (answered) => countAnswer(behind.pending(), answered, now()),
      // Where the file cannot be read, the next flush reports it.
      current: () =>
        Promise.resolve(
          sumOf(
            readOr(() => statisticsFile.read(), noStatistics()),
            behind.pending(),
            now(),
          ),
        ),
      flush: () => behind.flush(),
    };
  }
}

function readOr<Contents>(read: () => Contents, otherwise: Contents): Contents {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
