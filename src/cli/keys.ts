/** The process behind `npm run keys`: hands arguments, streams and the file's path to the command. */
import process from 'node:process';
import { keysFilePath } from '../config.js';
import { runKeysCli } from './keys-command.js';

process.exitCode = await runKeysCli(process.argv.slice(2), {
  keysFile: keysFilePath(),
  stdout: process.stdout,
  stderr: process.stderr,
});
