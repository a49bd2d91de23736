/** The process behind `npx parapet keys`: hands arguments, streams and the store to the command. */
import process from 'node:process';
import { keysFilePath } from '../config/config.js';
import { openFileStore } from '../storage/file-store.js';
import { runKeysCli } from './keys-command.js';

process.exitCode = await runKeysCli(process.argv.slice(2), {
  keys: openFileStore(keysFilePath()).keys,
  stdout: process.stdout,
  stderr: process.stderr,
});
