/** A store of files, to and from the items of which it is made. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { formatAdminPasswordHash, parseAdminPasswordHash } from '../../admin-password.js';
import type { KeyRecord, ProjectRecord } from '../../keys/key-record.js';
import type { FilePolicies } from '../file-policies.js';
import { readOr, type Change, type JsonFile } from '../json-file.js';
import { rowsOfEarlier } from '../statistics/earlier-statistics.js';
import type { Statistics } from '../statistics/statistics.js';
import { keyFileContents, type KeyFileContents } from '../key-file-shape.js';
import { insertRow, rowItemsOf, type RowItem } from '../sql/record-rows.js';
import { NotUnique, type SqlDatabase } from '../sql/sql-database.js';
import type { AdminPasswordRepository, Store } from '../store.js';
import { latestUses, NO_USES, type UsageFileContents } from '../usage-file.js';
import { contradiction, notEmpty, type StoredItem } from './stored-item.js';

export interface FileTransferDeps {
  readonly keyFile: JsonFile<KeyFileContents>;
  readonly policies: FilePolicies;
  readonly adminPassword: AdminPasswordRepository;
  readonly usageFile: JsonFile<UsageFileContents>;
  readonly statistics: Pick<Statistics, 'flush'>;
  readonly sql: SqlDatabase;
}

export function createFileTransfer(deps: FileTransferDeps): Pick<Store, 'exportAll' | 'importAll'> {
  const { keyFile, policies, adminPassword, usageFile, statistics, sql } = deps;

  async function assertEmpty(): Promise<void> {
    const { projects, keys } = keyFile.read();
    if (projects.length > 0 || keys.length > 0 || (await adminPassword.get()) !== undefined) {
      throw notEmpty(keyFile.path);
    }
  }

  return {
    async *exportAll() {
      // Of one moment. A policy that is made later belongs to a project that is there, or is left out with it.
      const { projects, keys } = keyFile.read();
      for (const project of projects) yield { kind: 'project', project };
      for (const key of keys) yield { kind: 'key', key };
      for (const { id: projectId } of projects) {
        const record = policies.recordOf(projectId);
        if (record !== undefined) yield { kind: 'policy', projectId, record };
      }
      const password = await adminPassword.get();
      if (password !== undefined) yield { kind: 'password', hash: formatAdminPasswordHash(password) };
      for (const [keyId, atMs] of latestUses(readOr(usageFile, NO_USES).uses, usesIn(keys))) {
        yield { kind: 'use', keyId, at: new Date(atMs).toISOString() };
      }
      // What an earlier release has counted becomes rows.
      await statistics.flush();
      yield* rowItemsOf(sql);
    },

    importAll: (items) => sql.change((ask) => importFrom(items, (row) => insertRow(ask, row))),
  };

  async function importFrom(
    items: AsyncIterable<StoredItem>,
    writeRow: (row: RowItem) => Promise<void>,
  ): Promise<void> {
    await assertEmpty();
    const made: string[] = [];
    /** One file replaces nothing that was there, so that it can be taken back. */
    const write = async <Contents extends object>(
      file: JsonFile<Contents>,
      work: (current: Contents) => Contents,
    ): Promise<void> => {
      if (!existsSync(file.path)) made.push(file.path);
      await file.change((current): Change<Contents, void> => ({ next: work(current), result: undefined }));
    };
    try {
      const left = await writeAtOnce(items, {
        writeRow,
        writePolicy: (projectId, record) => write(policies.fileOf(projectId), (current) => ({ ...current, record })),
      });
      const { projects, keys, password, uses } = left;
      if (uses.size > 0) await write(usageFile, (current) => ({ ...current, uses }));
      if (password !== undefined) {
        made.push(adminPassword.location);
        await adminPassword.set(password);
      }
      const contents = checked(() => keyFileContents(projects, keys));
      // Last: until it is there, nobody is let in.
      await write(keyFile, (current) => {
        if (current.projects.length > 0 || current.keys.length > 0) throw notEmpty(keyFile.path);
        return contents;
      });
    } catch (error) {
      for (const path of made) await rm(path, { force: true });
      throw error;
    }
  }
}

/** Of records as earlier versions wrote them. */
function usesIn(keys: readonly KeyRecord[]): ReadonlyMap<string, number> {
  return new Map(
    keys.flatMap(({ id, lastUsedAt = null }) => (lastUsedAt === null ? [] : [[id, Date.parse(lastUsedAt)] as const])),
  );
}

interface Left {
  readonly projects: ProjectRecord[];
  readonly keys: KeyRecord[];
  password?: ReturnType<typeof parseAdminPasswordHash>;
  readonly uses: Map<string, number>;
}

interface AtOnce {
  readonly writePolicy: (projectId: string, record: (StoredItem & { kind: 'policy' })['record']) => Promise<void>;
  readonly writeRow: (row: RowItem) => Promise<void>;
}

/** Policies and rows, since all of them may be more than fits into memory. @returns the rest */
async function writeAtOnce(items: AsyncIterable<StoredItem>, { writePolicy, writeRow }: AtOnce): Promise<Left> {
  const left: Left = { projects: [], keys: [], uses: new Map() };
  const known = new Set<string>();
  for await (const item of items) {
    switch (item.kind) {
      case 'project':
        left.projects.push(item.project);
        known.add(item.project.id);
        break;
      case 'key':
        left.keys.push(item.key);
        break;
      case 'policy':
        if (!known.has(item.projectId)) throw contradiction('a policy is of a project that does not stand before it');
        await writePolicy(item.projectId, item.record);
        break;
      case 'row':
        await writeRow(item).catch(refuseTwice);
        break;
      case 'password':
        left.password = parseAdminPasswordHash(item.hash);
        break;
      case 'use':
        left.uses.set(item.keyId, Date.parse(item.at));
        break;
      case 'statistics':
        for (const row of rowsOfEarlier(item)) await writeRow(row);
    }
  }
  return left;
}

function refuseTwice(error: unknown): never {
  throw error instanceof NotUnique ? contradiction('a row occurs twice') : error;
}

function checked<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw contradiction(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  }
}
