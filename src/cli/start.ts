/** `parapet start`: the service in a process of its own, since V8 takes its flags at the start of a process alone, or in several on one port. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { OperatorError } from '../errors.js';
import { STOP_SIGNALS, supervise, type Ending } from '../processes/supervisor.js';
import { endWith } from '../service-process.js';
import { readArguments } from './command.js';

/** As `npm start` and the Docker image give them: docs/decisions/0043-garbage.md. */
export const SERVICE_FLAGS = ['--enable-source-maps', '--heap-growing-percent=25', '--max-semi-space-size=4'] as const;

const SERVER = fileURLToPath(new URL('../server.js', import.meta.url));

/** What one HTTP thread feeds: docs/operations/capacity.md. */
const THREADS_PER_PROCESS = 8;

/** A terminal sends Ctrl-C to all processes, and the service ends at once at the second one. */
const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
const isSentToAll = (signal: NodeJS.Signals): boolean => signal === 'SIGINT' && atTerminal;

/** Ends as the service ends: with its exit status, or by the signal that ended it. @throws OperatorError of one sentence where an argument is wrong */
export async function start(argv: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(argv, { processes: { type: 'string' } });
  if (positionals.length > 0) throw new OperatorError('start takes --processes and nothing else. See --help.');
  if (values.processes === undefined) startOne();
  else await startSeveral(values.processes);
}

function startOne(): void {
  const service = spawn(process.execPath, [...SERVICE_FLAGS, SERVER], { stdio: 'inherit' });
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (!isSentToAll(signal)) service.kill(signal);
    });
  }
  service.on('exit', (code, signal) => endAs({ code, signal }));
}

async function settings(): Promise<Config> {
  const { loadConfig } = await import('../config/config.js');
  return loadConfig();
}

/** @param asked how many, or "auto" */
async function startSeveral(asked: string): Promise<void> {
  if (!/^(?:[1-9]\d{0,2}|auto)$/.test(asked)) {
    throw new OperatorError('--processes must be a whole number from 1 to 999, or auto. See --help.');
  }
  const { inferenceThreads, maxQueue } = await settings().catch(endWith);
  const processes = asked === 'auto' ? Math.ceil(inferenceThreads / THREADS_PER_PROCESS) : Number(asked);
  if (processes > inferenceThreads) {
    throw new OperatorError(
      `--processes ${processes} is more than INFERENCE_THREADS (${inferenceThreads}), and each needs one. See --help.`,
    );
  }
  const environment = {
    // What is left over is for the HTTP threads.
    INFERENCE_THREADS: String(Math.floor(inferenceThreads / processes)),
    MAX_QUEUE: String(Math.ceil(maxQueue / processes)),
  };
  endAs(await supervise({ processes, program: SERVER, flags: SERVICE_FLAGS, environment, isSentToAll }));
}

function endAs({ code, signal }: Ending): void {
  for (const each of STOP_SIGNALS) process.removeAllListeners(each);
  if (signal !== null) process.kill(process.pid, signal);
  // Node may still listen for a process that died.
  else process.exit(code ?? 1);
}
