/** Reads a password: from a terminal without showing it, twice; else the first line of the stream. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { OperatorError } from '../errors.js';

type Input = NodeJS.ReadStream | ReadStream;

/** @throws OperatorError when the two differ */
export async function readPassword(
  input: Input,
  prompt: { write(text: string): unknown },
): Promise<string | undefined> {
  if (!input.isTTY) return firstLine(input);
  const password = await askSilently('Password: ', input, prompt);
  if ((await askSilently('Again: ', input, prompt)) !== password) {
    throw new OperatorError('The two passwords differ. Nothing was changed.');
  }
  return password;
}

async function firstLine(input: Input): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line;
  return undefined;
}

async function askSilently(question: string, input: Input, prompt: { write(text: string): unknown }): Promise<string> {
  prompt.write(question);
  // readline repeats what is typed to its output: this one shows it to nobody.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  // Ctrl-C and Ctrl-D end the process; the answer would else never come.
  reader.on('SIGINT', () => process.exit(2));
  try {
    return await reader.question('');
  } finally {
    reader.close();
    prompt.write('\n');
  }
}
