/** `parapet start`: the service in a process of its own, since V8 takes its flags at the start of a process alone, or in several on one port. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../errors.js';
import { STOP_SIGNALS, type Ending } from '../processes/supervisor.js';
import { readArguments } from './command.js';

/** As `npm start` and the Docker image give them: docs/decisions/0043-garbage.md. */
export const SERVICE_FLAGS = ['--enable-source-maps', '--heap-growing-percent=25', '--max-semi-space-size=4'] as const;

const SERVER = fileURLToPath(new URL('../server.js', import.meta.url));

/** A terminal sends Ctrl-C to all processes, and the service ends at once at the second one. */
const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
const isSentToAll = (signal: NodeJS.Signals): boolean => signal === 'SIGINT' && atTerminal;

/** Ends as the service ends: with its exit status, or by the signal that ended it. @throws OperatorError of one sentence where an argument is wrong */
export async function start(argv: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(argv, { processes: { type: 'string' } });
  if (positionals.length > 0) throw new OperatorError('start takes --processes and nothing else. See --help.');
  if (values.processes === undefined) startOne();
  else {
    const { runProcesses } = await import('../service-processes.js');
    endAs(await runProcesses(values.processes, { program: SERVER, flags: SERVICE_FLAGS, isSentToAll }));
  }
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

function endAs({ code, signal }: Ending): void {
  for (const each of STOP_SIGNALS) process.removeAllListeners(each);
  if (signal !== null) process.kill(process.pid, signal);
  // Node may still listen for a process that died.
  else process.exit(code ?? 1);
}
