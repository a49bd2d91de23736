/** The built service as a process of its own: start it, talk to it, stop it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { z } from 'zod';
import { analyzeResponse, healthResponse, problemResponse } from '../../src/http/routes/schemas.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { builtUrl } from './built.js';

export type Environment = Readonly<Record<string, string>>;

export interface Exit {
  readonly code: number | null;
  readonly stderr: string;
}

export interface Service {
  readonly child: ChildProcess;
  /** From the log, once the service listens; it may not be ready yet. */
  readonly listening: Promise<string>;
  /** The address, from the log line "ready", or from what quickstart prints. */
  readonly ready: Promise<string>;
  /** Every line of standard output so far. */
  readonly lines: readonly string[];
  /** The first such line of standard output, which may be there already. Rejects where the process ends without one. */
  line(pattern: RegExp): Promise<string>;
  readonly exit: Promise<Exit>;
  /** What it has written to standard error so far. */
  stderr(): string;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

const logLine = z.object({ msg: z.string(), address: z.string().optional() });
const logged = (line: string) => logLine.safeParse(parseJson(line)).data;
/** Its log goes to standard error. */
const QUICKSTART_IS_READY = /^Parapet is ready at (http:\S+)/;

/** A folder that goes away with the test (or, where `afterwards` is given, with whatever that waits for). */
export function temporaryFolder(afterwards: (clean: () => void) => void = afterTest): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-e2e-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Only what a fresh shell has: no setting of whoever runs the tests leaks in. */
function environmentWith(settings: Environment): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...settings };
}

/** Starts `node dist/src/server.js`, or another entry point with its arguments, on a free port, behind a command that runs it. The caller stops it. */
export function spawnService(
  settings: Environment,
  entry: string | URL | readonly string[] = 'server.js',
  behind: readonly string[] = [],
): Service {
  const [file = '', ...given] = entry instanceof URL ? [entry] : [entry].flat();
  const program = fileURLToPath(typeof file === 'string' ? builtUrl(file) : file);
  const [command = '', ...argv] = [...behind, process.execPath, program, ...given.map(String)];
  const child = spawn(command, argv, {
    env: environmentWith({ PORT: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const exit = once(child, 'close').then(() => ({ code: child.exitCode, stderr }));
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  /** Resolves with what is read from the first line that has it; rejects if the process ends before. */
  const firstRead = (read: (line: string) => string | undefined): Promise<string> => {
    const found = new Promise<string>((resolve, reject) => {
      const look = (line: string): void => {
        const value = read(line);
        if (value !== undefined) resolve(value);
      };
      lines.forEach(look);
      reader.on('line', look);
      void exit.then((ended) => reject(new Error(`the service ended with ${String(ended.code)}: ${ended.stderr}`)));
    });
    found.catch(() => undefined); // Whoever awaits it still sees it.
    return found;
  };
  return {
    child,
    lines,
    exit,
    stderr: () => stderr,
    line: (pattern) => firstRead((line) => (pattern.test(line) ? line : undefined)),
    listening: firstRead((line) => /Server listening at (http:\S+)/.exec(logged(line)?.msg ?? '')?.[1]),
    ready: firstRead((line) => {
      const { msg, address } = logged(line) ?? {};
      return msg === 'ready' ? address : QUICKSTART_IS_READY.exec(line)?.[1];
    }),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exit;
    },
  };
}

const KEY_REQUEST = {
  project: 'e2e',
  name: 'test',
  environment: 'live',
  expiresInMs: null,
  rateLimitPerMinute: null,
} as const;

export interface ReadyService extends Service {
  readonly address: string;
  readonly key: string;
  readonly keyId: string;
  readonly keysFile: string;
}

function afterTest(clean: () => unknown): void {
  onTestFinished(async () => {
    await clean();
  });
}

/** For a service that a test starts and does not stop itself. */
export function killAfterTest(service: Service): void {
  afterTest(() => service.stop('SIGKILL'));
}

/** A service that is ready, with one worker and a key. Lives until `afterwards`: by default the end of the test. */
export async function startService(
  settings: Environment = {},
  afterwards: (clean: () => unknown) => void = afterTest,
  entry?: URL | readonly string[],
): Promise<ReadyService> {
  const keysFile = join(temporaryFolder(afterwards), 'keys.json');
  const { key, record } = await openFileStore(keysFile).keys.create(KEY_REQUEST);
  const service = spawnService({ KEYS_FILE: keysFile, INFERENCE_THREADS: '1', ...settings }, entry);
  afterwards(() => service.stop('SIGKILL'));
  return { ...service, address: await service.ready, key, keyId: record.id, keysFile };
}

/** One service for all tests of a file or of the `describe` that this is called in. */
export function startServiceForAll(use: (service: ReadyService) => unknown, settings: Environment = {}): void {
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    await use(await startService(settings, (clean) => cleanUps.unshift(clean)));
  });
  afterAll(async () => {
    for (const clean of cleanUps) await clean();
  });
}

/** Runs a command that works on what is kept as a process. @throws Error where it ends with another status than 0 */
export async function command(
  name: 'admin' | 'audit' | 'keys' | 'policies',
  settings: Environment,
  argv: readonly string[],
  input = '',
): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(builtUrl(`cli/${name}.js`)), ...argv], {
    env: environmentWith(settings),
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) {
    throw new Error(`${name} ${argv.join(' ')} ended with ${String(child.exitCode)}: ${stderr}`);
  }
  return stdout;
}

export const keysCommand = (keysFile: string, ...argv: string[]): Promise<string> =>
  command('keys', { KEYS_FILE: keysFile }, argv);
export const policiesCommand = (keysFile: string, ...argv: string[]): Promise<string> =>
  command('policies', { KEYS_FILE: keysFile }, argv);

/** Makes a key as another process of the same machine would. */
export async function createKey(
  keysFile: string,
  more: { readonly project?: string; readonly rateLimitPerMinute?: number } = {},
): Promise<{ key: string; id: string }> {
  const { key, record } = await openFileStore(keysFile).keys.create({ ...KEY_REQUEST, ...more });
  return { key, id: record.id };
}

interface Target {
  readonly address: string;
  readonly key: string;
}

export function post({ address, key }: Target, content: string, query = ''): Promise<Response> {
  return fetch(`${address}/v1/analyze${query}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content }),
  });
}

/** The verdict on a text. @throws where the answer is not a 200 of the documented shape */
export async function analyze(target: Target, content: string): Promise<z.output<typeof analyzeResponse>> {
  return analyzeResponse.parse(await okJson(await post(target, content)));
}

const detailed = analyzeResponse.required({ details: true });

export async function analyzeInDetail(target: Target, content: string): Promise<z.output<typeof detailed>> {
  return detailed.parse(await okJson(await post(target, content, '?details=true')));
}

async function okJson(response: Response): Promise<unknown> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}

/** `200`, or the status and code of a problem, as in `503 queue_full`. */
export async function outcomeOf(response: Response): Promise<string> {
  const body: unknown = await response.json();
  if (response.status === 200) {
    analyzeResponse.parse(body);
    return '200';
  }
  const problem = problemResponse.parse(body);
  return `${problem.status} ${problem.code}`;
}

export async function health(address: string): Promise<{ code: number; status: string }> {
  const response = await fetch(`${address}/v1/health`);
  return { code: response.status, status: healthResponse.parse(await response.json()).status };
}

/** The value of a metric without labels. Needs METRICS=public. */
export async function metric(address: string, name: string): Promise<number> {
  const page = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
}

/** Between two looks: looking without a pause would take the processor from what is looked at. */
const LOOK_EVERY_MS = 10;

/** Asks again and again until the answer passes. */
export async function eventually<Value>(ask: () => Promise<Value>, passes: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (passes(value)) return value;
    await setTimeout(LOOK_EVERY_MS);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
