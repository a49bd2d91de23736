/** The process behind `npx parapet store`: hands arguments, streams and the store to the command. */
import process from 'node:process';
import { runStoreCli } from './store-command.js';
import { openStoreHere } from './store-here.js';

process.exitCode = await runStoreCli(process.argv.slice(2), {
  openStore: openStoreHere,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
