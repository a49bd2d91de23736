/**
 * The process behind `npx parapet admin`: hands arguments, streams and the store to the command, and asks for the password: at a terminal twice without
 * showing it, else as the first line of the stream.
 */
import process, { stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { adminPasswordHash } from '../config/config.js';
import { OperatorError } from '../errors.js';
import { runAdminCli } from './admin/admin-command.js';
import { openStoreHere } from './store-here.js';

process.exitCode = await runAdminCli(process.argv.slice(2), {
  openStore: openStoreHere,
  passwordHash: adminPasswordHash,
  readPassword,
  stdout,
  stderr,
});

/** @throws OperatorError when the two differ, or at Ctrl-C and Ctrl-D */
async function readPassword(): Promise<string | undefined> {
  if (stdin.isTTY) return askTwice();
  for await (const line of createInterface({ input: stdin })) return line;
  return undefined;
}

async function askTwice(): Promise<string> {
  // readline repeats what is typed to its output: this one shows it to nobody.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // One reader for both questions, and before the first: without one the terminal itself shows what is typed. No history: the
  // arrow keys would bring the first answer back.
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();

  async function ask(question: string): Promise<string> {
    stderr.write(question);
    const line = await lines.next();
    stderr.write('\n');
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
