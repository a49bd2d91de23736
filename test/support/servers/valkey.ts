/** A real Redis of the test's own, on a free port of this machine and empty. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.js';

export interface ValkeyServer {
  readonly url: string;
  readonly kill: () => Promise<void>;
  /** Again, on the same port. */
  start(): Promise<void>;
  /** It keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
}

/** Where there is none, tests of it are skipped; in CI that is a failure. */
export const hasValkey = process.env.CI !== undefined || isInstalled();

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** @param options of its command line */
export async function startValkey(...options: string[]): Promise<ValkeyServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const server = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = server;
    for await (const line of createInterface({ input: server.stdout })) {
      if (line.includes('Ready to accept connections')) break;
    }
    server.stdout.resume();
  }

  async function kill(): Promise<void> {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}
