/** The numbered steps that make the schema, each applied once, and whether a database has had the ones that this release knows. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { OperatorError } from '../../errors.js';
import { openDatabase, type Database, type Sql, type Transaction } from './database.js';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

const FOLDER = new URL('../migrations/', import.meta.url);
/** Of pg_advisory_xact_lock: one process at a time migrates. */
const MIGRATION_LOCK = 7_271_001;
const MIGRATION_DEADLINE_MS = 30 * 60_000;

/**
 * All that are missing, in one transaction; whoever comes meanwhile waits and finds nothing to do.
 *
 * @returns the names of those that were applied
 * @throws OperatorError where the schema is newer than this release, or cannot be changed; it is then as it was
 */
export async function migrate(databaseUrl: string): Promise<{ readonly location: string; readonly applied: string[] }> {
  const known = await knownMigrations();
  const database = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    const applied = await database.change(async (sql) => {
      await sql.unsafe('set local statement_timeout = 0');
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await sql.unsafe(`
        create schema if not exists parapet;
        create table if not exists parapet.migration (
          number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now()
        )`);
      const missing = missingOf(known, await appliedIn(sql), database.location);
      for (const { number, name, sha256, text } of missing) {
        await sql.unsafe(text);
        await sql`insert into parapet.migration (number, name, sha256) values (${number}, ${name}, ${sha256})`;
      }
      return missing.map(({ name }) => name);
    }, MIGRATION_DEADLINE_MS);
    return { location: database.location, applied };
  } finally {
    await database.close();
  }
}

/** @throws OperatorError where the schema is older or newer than this release */
export async function refuseOtherSchema(database: Database): Promise<void> {
  const missing = missingOf(await knownMigrations(), await database.read(appliedIn), database.location);
  if (missing.length === 0) return;
  throw new OperatorError(
    `The schema of ${database.location} is older than this Parapet. Run "npx parapet migrate", then start again.`,
  );
}

async function appliedIn(sql: Sql | Transaction): Promise<readonly Migration[]> {
  return sql<Migration[]>`select number, name, sha256 from parapet.migration order by number`;
}

/** @throws OperatorError where others were applied than those that are known */
function missingOf<Known extends Migration>(
  known: readonly Known[],
  applied: readonly Migration[],
  location: string,
): readonly Known[] {
  const newest = known.at(-1)?.number ?? 0;
  const foreign = applied.find(({ number, sha256 }) => known.find((each) => each.number === number)?.sha256 !== sha256);
  if (foreign !== undefined && foreign.number > newest) {
    throw new OperatorError(
      `The schema of ${location} is of version ${applied.at(-1)?.number ?? 0}, and this Parapet knows none after version ${newest}. Use the release that migrated it.`,
    );
  }
  if (foreign !== undefined) {
    throw new OperatorError(
      `The schema of ${location} was not made by this Parapet: migration ${foreign.name} is another one. Use the release that migrated it.`,
    );
  }
  return known.slice(applied.length);
}

async function knownMigrations(): Promise<readonly (Migration & { readonly text: string })[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}-[\w-]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, FOLDER), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { number: Number(file.slice(0, 4)), name: file.replace('.sql', ''), sha256, text };
    }),
  );
}
