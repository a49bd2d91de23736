/** Servers as child processes on ports of this machine: started, waited for, stopped with all that they started themselves. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from 'parapet/engine';

export const HOST = '127.0.0.1';

export interface ServerCommand {
  /** For messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Only these and what every program needs (PATH, HOME, TMPDIR): no setting of whoever runs the benchmark leaks in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Answers 200 once the server is ready. */
  readonly readyUrl: string;
  /** Called when it has ended. */
  readonly cleanUp?: () => Promise<void>;
}

export interface ServerProcess {
  readonly pid: number;
  /** From the start of the process until it was ready. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

export interface Servers {
  /** @throws OperatorError when the process ends or is not ready in time, with the end of what it wrote to standard error */
  start(command: ServerCommand): Promise<ServerProcess>;
  /** Also those that are not ready yet. */
  stopAll(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 10;
const STOP_WITHIN_MS = 15_000;
const KEPT_CHARACTERS = 2000;

export function createServers(): Servers {
  const stops = new Set<() => Promise<void>>();
  return {
    async start(server) {
      const startedMs = performance.now();
      const child = spawnServer(server);
      const stop = async (): Promise<void> => {
        stops.delete(stop);
        await stopProcess(child);
        await server.cleanUp?.();
      };
      stops.add(stop);
      try {
        await untilReady(child, server);
      } catch (error) {
        await stop();
        throw error;
      }
      return { pid: child.pid ?? 0, readyAfterMs: performance.now() - startedMs, stop };
    },
    async stopAll() {
      await Promise.allSettled([...stops].map((stop) => stop()));
    },
  };
}

function spawnServer({ command, args, environment }: ServerCommand) {
  const { PATH, HOME, TMPDIR } = process.env;
  return spawn(command, args, {
    env: { PATH, HOME, TMPDIR, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that processes that it starts are stopped with it.
    detached: true,
  });
}

async function untilReady(child: ReturnType<typeof spawnServer>, { name, readyUrl }: ServerCommand): Promise<void> {
  let stderr = '';
  let failure: string | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_CHARACTERS)));
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => (failure ??= `it ended with ${code ?? signal ?? 'no status'}`));
  const giveUpMs = performance.now() + READY_WITHIN_MS;
  while (!(await answers(readyUrl))) {
    if (performance.now() > giveUpMs) failure ??= `it was not ready within ${READY_WITHIN_MS / 1000} s`;
    if (failure !== undefined) throw new OperatorError(`${name} did not start: ${failure}. ${stderr.trim()}`);
    await sleep(ASK_EVERY_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), STOP_WITHIN_MS);
  await exit;
  clearTimeout(timer);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
