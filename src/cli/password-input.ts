/** Reads a password: from a terminal without showing it, twice; else the first line of the stream. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { OperatorError } from '../errors.js';

type Input = NodeJS.ReadStream | ReadStream;

interface Prompt {
  write(text: string): unknown;
}

/** @throws OperatorError when the two differ, or at Ctrl-C and Ctrl-D */
export async function readPassword(input: Input, prompt: Prompt): Promise<string | undefined> {
  if (input.isTTY) return askTwice(input, prompt);
  for await (const line of createInterface({ input })) return line;
  return undefined;
}

async function askTwice(input: Input, prompt: Prompt): Promise<string> {
  // readline repeats what is typed to its output: this one shows it to nobody.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // One reader for both questions, and before the first: without one the terminal itself shows what is typed. No history: the
  // arrow keys would bring the first answer back.
  const reader = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();

  async function ask(question: string): Promise<string> {
    prompt.write(question);
    const line = await lines.next();
    prompt.write('\n');
    if (line.done === true) throw new OperatorError('No password was given. Nothing was changed.');
    return line.value;
  }

  try {
    const password = await ask('Password: ');
    if ((await ask('Again: ')) !== password) {
      throw new OperatorError('The two passwords differ. Nothing was changed.');
    }
    return password;
  } finally {
    reader.close();
  }
}
