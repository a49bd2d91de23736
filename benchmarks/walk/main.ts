/**
 * Counts the files of src whose functions the built server calls for one text that it has not seen: what a reader of that way must open.
 *
 *     npm run build && npm run --silent -w benchmarks build && node benchmarks/dist/walk/main.js [TEXT]
 */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Walked } from './probe.js';

const BUILT = new URL('../../../dist/src/', import.meta.url);
/** One that judges, and that of HTTP. */
const THREADS = 2;
const [text = 'You are an idiot and nobody wants you here.'] = process.argv.slice(2);

const scratch = mkdtempSync(join(tmpdir(), 'walk-'));
const env = { ...process.env, KEYS_FILE: join(scratch, 'keys.json'), PORT: '0', INFERENCE_THREADS: '1' };
const built = (file: string): string => fileURLToPath(new URL(file, BUILT));
const key = execFileSync('node', [built('cli/keys.js'), 'create', '--project', 'walk', '--name', 'walk'], {
  env,
  encoding: 'utf8',
  stdio: 'pipe',
}).trim();
const server = fork(built('server.js'), {
  env,
  execArgv: ['--import', new URL('./probe.js', import.meta.url).href],
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
try {
  const address = await addressOf(server);
  // What is done once, at the first text, is not part of the way.
  await judge(address, 'The train leaves at noon.');
  await filesWalked(server);
  await judge(address, text);
  const files = (await filesWalked(server)).filter((url) => url.startsWith(BUILT.href));
  const paths = [...new Set(files.map((url) => url.slice(BUILT.href.length).replace(/\.js$/, '.ts')))].sort();
  for (const folder of new Set(paths.map(dirname))) {
    const names = paths.filter((path) => dirname(path) === folder).map((path) => basename(path));
    process.stdout.write(`${folder.padEnd(20)}${String(names.length).padStart(4)}  ${names.join(' ')}\n`);
  }
  process.stdout.write(`${paths.length} files\n`);
} finally {
  server.kill();
  rmSync(scratch, { recursive: true });
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the log of the server is not read');
  for await (const line of createInterface({ input: stdout })) {
    const { msg, address } = JSON.parse(line) as { msg?: string; address?: string };
    if (msg === 'ready' && address !== undefined) {
      stdout.resume();
      return address;
    }
  }
  throw new Error('the server ended before it was ready');
}

async function judge(address: string, content: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ content });
  const response = await fetch(`${address}/v1/analyze`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
}

async function filesWalked(child: ChildProcess): Promise<Walked> {
  const walked: string[] = [];
  child.send('ask');
  let answers = 0;
  for await (const [files] of on(child, 'message') as AsyncIterable<[Walked]>) {
    walked.push(...files);
    answers += 1;
    if (answers === THREADS) break;
  }
  return walked;
}
