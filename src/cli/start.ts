/** `parapet start`: the service in a process of its own, since V8 takes its flags at the start of a process alone. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

/** As `npm start` and the Docker image give them: docs/decisions/0043-garbage.md. */
export const SERVICE_FLAGS = ['--enable-source-maps', '--heap-growing-percent=25', '--max-semi-space-size=4'] as const;

/** A terminal sends Ctrl-C to both processes, and the service ends at once at the second one. */
const forwarded: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT'];
const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));

/** Ends as the service ends: with its exit status, or by the signal that ended it. */
export function start(): void {
  const server = fileURLToPath(new URL('../server.js', import.meta.url));
  const service = spawn(process.execPath, [...SERVICE_FLAGS, server], { stdio: 'inherit' });
  for (const signal of forwarded) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !atTerminal) service.kill(signal);
    });
  }
  service.on('exit', (code, signal) => {
    for (const each of forwarded) process.removeAllListeners(each);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}
