/** The process behind `npx parapet keys`: hands arguments, streams and the store to the command. */
import process, { stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { runKeysCli } from './keys-command.js';
import { openStoreHere } from './store-here.js';

process.exitCode = await runKeysCli(process.argv.slice(2), {
  openStore: openStoreHere,
  readSecret,
  stdout: process.stdout,
  stderr: process.stderr,
});

async function readSecret(): Promise<string | undefined> {
  for await (const line of createInterface({ input: stdin })) return line.trim();
  return undefined;
}
