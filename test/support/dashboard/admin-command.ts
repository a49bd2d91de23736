/** Runs the `admin` command as a process: with a password on its standard input, or at a terminal. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { builtUrl } from '../built.js';

const COMMAND = fileURLToPath(builtUrl('cli/admin.js'));

export async function adminCommand(keysFile: string, input: string, ...argv: string[]) {
  const child = spawn(process.execPath, [COMMAND, ...argv], { env: { ...process.env, KEYS_FILE: keysFile } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** Node has no pseudo-terminals; Python does, on Linux and macOS. */
export const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0;

if (!hasTerminal) {
  process.stderr.write(
    'SKIPPED: the tests of the password prompt at a terminal. There is no python3 with the module pty.\n',
  );
}

const SPAWN_AT_TERMINAL = 'import pty, sys; pty.spawn(sys.argv[1:])';
/** `stty -g` prints the whole state of the terminal in one line. */
const AMID_STATES = 'stty -g; "$@"; echo "status $?"; stty -g';

export interface TerminalRun {
  readonly code: number;
  /** All that the terminal showed, what it echoed included. */
  readonly shown: string;
  /** Of the terminal, before and after the command. */
  readonly states: readonly [string, string];
}

/** Waits for each prompt, in order, and then types what belongs to it. */
export async function adminAtTerminal(
  keysFile: string,
  typing: readonly (readonly [prompt: string, keys: string])[],
  ...argv: string[]
): Promise<TerminalRun> {
  const shell = ['sh', '-c', AMID_STATES, 'sh', process.execPath, COMMAND, ...argv];
  const child = spawn('python3', ['-c', SPAWN_AT_TERMINAL, ...shell], {
    env: { ...process.env, KEYS_FILE: keysFile },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const left = [...typing];
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    const [prompt, keys] = left[0] ?? [];
    if (prompt === undefined || !output.includes(prompt)) return;
    left.shift();
    child.stdin.write(keys);
  });
  await once(child, 'close');
  const lines = output.split('\r\n').slice(0, -1);
  const code = Number(/^status (\d+)$/m.exec(lines.at(-2) ?? '')?.[1]);
  return { code, shown: lines.slice(1, -2).join('\n'), states: [lines.at(0) ?? '', lines.at(-1) ?? ''] };
}
