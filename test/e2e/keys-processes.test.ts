/** Promises of every file of the store between processes, on the key file: no kill tears it, and no concurrent writer loses a change. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { sized, TIME_LIMIT_MS } from '../hardening/scale.js';

/** Kills of a writer. */
const ROUNDS = sized({ short: 8, long: 1_000 });

const built = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const CLI = fileURLToPath(built('cli/keys.js'));

const listSchema = z.array(z.object({ name: z.string() }));
const fileSchema = z.object({ version: z.literal(2), keys: z.array(z.object({ id: z.string(), hash: z.string() })) });

function freshKeyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-keys-e2e-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'keys.json');
}

/** @throws where the file is not whole */
function storedIds(file: string): ReadonlySet<unknown> {
  return new Set(fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).keys.map(({ id }) => id));
}

async function keys(
  file: string,
  ...argv: string[]
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [CLI, ...argv], { env: { ...process.env, KEYS_FILE: file } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, stdout, stderr };
}

/** A process that runs `code` as a module, with `file` as its argument and messages to and fro. */
function startProcess(code: string, file: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as unknown[];
  return message;
}

/** Creates keys without end and reports each once it is stored. */
const WRITER = `
  import { openFileStore } from '${built('storage/file-store.js')}';
  const store = openFileStore(process.argv[1]).keys;
  const request = { project: 'p', name: 'n', environment: 'live', expiresInMs: null, rateLimitPerMinute: null };
  for (;;) process.send((await store.create(request)).record.id);
`;

describe('keys between processes', () => {
  it(
    'leave the file whole, with every key that was reported, at whatever moment the writer is killed',
    async () => {
      const file = freshKeyFile();
      const reported = new Set<unknown>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const writer = startProcess(WRITER, file);
        writer.on('message', (id) => reported.add(id));
        await once(writer, 'message');
        // A random number of looks at the file makes the moment of the kill random; each must find the file whole.
        const looks = Math.random() * 100;
        for (let look = 0; look < looks; look += 1) storedIds(file);
        writer.kill('SIGKILL');
        await once(writer, 'close');
        const ids = storedIds(file);
        expect([...reported].filter((id) => !ids.has(id))).toEqual([]);
        expect(statSync(file).mode & 0o777).toBe(0o600);
        // An abandoned lock would hold up each of the rounds for seconds.
        rmSync(`${file}.lock`, { recursive: true, force: true });
      }
    },
    TIME_LIMIT_MS,
  );

  it('wait for the lock of a killed writer to grow stale, and then succeed', async () => {
    const file = freshKeyFile();
    const holder = startProcess(
      `
        import { withFileLock } from '${built('storage/file-lock.js')}';
        await withFileLock(process.argv[1], async () => {
          process.send('locked');
          await new Promise((resolve) => setInterval(resolve, 2 ** 30));
        });
      `,
      file,
    );
    expect(await answerOf(holder)).toBe('locked');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(readdirSync(dirname(file))).toEqual(['keys.json.lock']);
    expect(await keys(file, 'create', '--project', 'p', '--name', 'n')).toMatchObject({ status: 0 });
    expect(readdirSync(dirname(file))).toEqual(['keys.json']);
  });

  it('lose no change of commands that run at once', async () => {
    const file = freshKeyFile();
    const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
    const created = await Promise.all(
      names.map((name) => keys(file, 'create', '--project', 'p', '--name', name, '--json')),
    );
    expect(created.map(({ status, stderr }) => [status, stderr])).toEqual(names.map(() => [0, '']));
    const listed = listSchema.parse(JSON.parse((await keys(file, 'list', '--json')).stdout));
    expect(listed.map(({ name }) => name).sort()).toEqual(names);
  });
});
