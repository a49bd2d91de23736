/** The store of files in the folder of the key file, each of which carries its name: five, and one for the policy of each project. */
import { basename, dirname, join } from 'node:path';
import { takeEarlierFile } from './statistics/earlier-statistics.js';
import { createStatistics } from './statistics/statistics.js';
import { createFileKeys, createFileProjects } from './file-keys.js';
import { createFilePolicies } from './file-policies.js';
import { fileVersionOf } from './file-version.js';
import { openKeyFile } from './key-file-shape.js';
import { createSqliteDatabase } from './sql/sqlite-database.js';
import { openPasswordFile } from './password-file.js';
import { createFileTransfer } from './transfer/file-transfer.js';
import type { Store, StoreOptions } from './store.js';
import { createUsage } from './usage.js';
import { readOr } from './json-file.js';
import { latestUses, NO_USES, openUsageFile, usesUntil } from './usage-file.js';

export interface FileStoreOptions extends StoreOptions {
  /** Of the built thread that reads long policies; for tests. */
  readonly policyWorkerUrl?: URL;
}

/** @param keysFile need not exist; two key files in one folder never share a file */
export function openFileStore(
  keysFile: string,
  { now = () => new Date(), onProblem = () => undefined, policyWorkerUrl }: FileStoreOptions = {},
): Store {
  const beside = (what: string): string => join(dirname(keysFile), `${basename(keysFile, '.json')}.${what}`);
  const ownedLike = () => fileVersionOf(keysFile);
  const keyFile = openKeyFile(keysFile);
  const ofKeys = (message: string): void => onProblem(message, 'keys');
  const ofStatistics = (message: string): void => onProblem(message, 'statistics');
  const usageFile = openUsageFile(beside('usage.jsonl'), ofKeys);

  const policies = createFilePolicies({
    beside: basename(keysFile) === 'keys.json' ? (what) => join(dirname(keysFile), what) : beside,
    ownedLike,
    projects: () => keyFile.read().projects,
    now,
    workerUrl: policyWorkerUrl,
  });
  const usage = createUsage({
    add: (batch) =>
      usageFile.change((current) => ({
        next: { ...current, uses: usesUntil(latestUses(current.uses, batch), now()) },
        result: undefined,
      })),
    onProblem: ofKeys,
  });

  const sql = createSqliteDatabase({
    file: basename(keysFile) === 'keys.json' ? join(dirname(keysFile), 'parapet.db') : beside('db'),
    ownedLike: keysFile,
    onMemory: (message) => onProblem(message, 'records'),
  });
  const statistics = createStatistics({
    sql,
    now,
    takeEarlier: () => takeEarlierFile(beside('statistics.json'), sql, ofStatistics),
    onProblem: ofStatistics,
  });
  const adminPassword = openPasswordFile(beside('admin.json'), ownedLike);

  return {
    location: keysFile,
    keys: createFileKeys({ file: keyFile, lastUses: () => readOr(usageFile, NO_USES).uses, now }),
    projects: createFileProjects({ file: keyFile, now }),
    policies,
    adminPassword,
    sql,
    usage,
    statistics,
    ...createFileTransfer({ keyFile, policies, adminPassword, usageFile, statistics, sql }),
    // Whoever reads looks at the file.
    refresh: () => undefined,
    check() {
      keyFile.read();
      policies.check();
    },
    async close() {
      await Promise.all([usage.flush(), statistics.flush(), policies.close()]);
      await sql.close();
    },
  };
}
