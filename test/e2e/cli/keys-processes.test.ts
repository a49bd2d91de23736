/** Promises of every file of the store between processes, on the key file: no kill tears it, and no concurrent writer loses a change. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { builtUrl } from '../../support/built.js';
import { keysCommand, temporaryFolder } from '../../support/service.js';
import { sized, TIME_LIMIT_MS } from '../../hardening/scale.js';

/** Kills of a writer. */
const ROUNDS = sized({ short: 8, long: 1_000 });

const built = (path: string): string => builtUrl(path).href;

const listSchema = z.array(z.object({ name: z.string() }));
const fileSchema = z.object({ version: z.literal(2), keys: z.array(z.object({ id: z.string(), hash: z.string() })) });

const freshKeyFile = (): string => join(temporaryFolder(), 'keys.json');

/** @throws where the file is not whole */
function storedIds(file: string): ReadonlySet<unknown> {
  return new Set(fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).keys.map(({ id }) => id));
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
    await keysCommand(file, 'create', '--project', 'p', '--name', 'n');
    expect(readdirSync(dirname(file))).toContain('keys.json');
    expect(readdirSync(dirname(file))).not.toContain('keys.json.lock');
  });

  it('lose no change of commands that run at once', async () => {
    const file = freshKeyFile();
    const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => keysCommand(file, 'create', '--project', 'p', '--name', name)));
    const listed = listSchema.parse(JSON.parse(await keysCommand(file, 'list', '--json')));
    expect(listed.map(({ name }) => name).sort()).toEqual(names);
  });
});
