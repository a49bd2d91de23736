/** The numbered steps that make the tables of the SQLite database, each applied once. `user_version` is the number of the last. */
import { readdir, readFile } from 'node:fs/promises';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { OperatorError } from '../../errors.js';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
/** The earlier ones are of PostgreSQL alone. */
const FIRST_MIGRATION = 3;
/** What a migration takes over from tables that only PostgreSQL has had. */
const OTHER_ENGINE = /^-- PostgreSQL \{$.*?^-- \}$/gms;

/** In SQLite the tables have no schema before their names, and values a question mark. */
export function inSqlite(sql: string): string {
  return sql.replaceAll('parapet.', '').replaceAll(/\$(\d+)/g, '?$1');
}

/** @returns names: of the files of the steps. @throws OperatorError where it is newer than this release */
export async function versionsOf(database: DatabaseSyncInstance, file: string) {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}-[\w-]+\.sql$/.test(name)).sort();
  const newest = Number(names.at(-1)?.slice(0, 4));
  const present = versionOf(database);
  if (present > newest) {
    throw new OperatorError(
      `${file} is of version ${present}, and this Parapet knows none after ${newest}. Use the release that wrote it.`,
    );
  }
  return { present, newest, names };
}

/** All steps that are missing, in one transaction. */
export async function migrate(database: DatabaseSyncInstance, file: string): Promise<void> {
  const { present, newest, names } = await versionsOf(database, file);
  if (present === newest) return;
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, MIGRATIONS), 'utf8')));
  database.exec('begin immediate');
  try {
    // Another process may have been first.
    const applied = Math.max(versionOf(database), FIRST_MIGRATION - 1);
    for (const [index, name] of names.entries()) {
      if (Number(name.slice(0, 4)) > applied)
        database.exec(inSqlite((texts[index] ?? '').replaceAll(OTHER_ENGINE, '')));
    }
    database.exec(`pragma user_version = ${newest}`);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function versionOf(database: DatabaseSyncInstance): number {
  return Number(Object.values(database.prepare('pragma user_version').get() as object)[0]);
}
