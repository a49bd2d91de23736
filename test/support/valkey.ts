/** A real Redis of its own for a test: on a free port of this machine, empty, and gone with the test. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface ValkeyServer {
  readonly url: string;
  /** Stops and goes on as `kill -STOP` and `kill -CONT` have it; killed it is gone until it is started again, empty. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** False where there is none, which is no excuse in CI. */
export function hasValkey(): boolean {
  if (process.env.CI !== undefined) return true;
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

  onTestFinished(kill);
  await start();
  return { url: `redis://127.0.0.1:${port}`, start, kill, signal: (signal) => void child?.kill(signal) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
